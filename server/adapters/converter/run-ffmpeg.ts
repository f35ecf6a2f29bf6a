import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ConvertibleFormat } from '../../audio/container';
import { type FfmpegReport, readReport } from './ffmpeg-report';

/** `timeoutMs`: until FFmpeg has opened the file. Afterwards the limit depends on the duration. */
export type RunLimits = { maxBytes: number; maxDurationMs: number; timeoutMs: number };

/** `signal`: kills FFmpeg when it is aborted. */
export type FfmpegWork = { args: string[]; output: string; signal?: AbortSignal };

export type FfmpegRun = {
  /** Null if FFmpeg was killed. */
  status: number | null;
  /** Why we have killed it. */
  stopped: 'too_long' | 'protected' | 'timeout' | null;
  report: FfmpegReport;
  /** The last messages, for logs. */
  messages: string;
};

export const CONVERTED_KBPS = 128;
/** Alone, FFmpeg converts at least 30 seconds of sound per second; here other work runs beside it. */
const SLOWEST_SPEED = 4;
/** Below the time after which the job counts as lost. */
const LONGEST_RUN_MS = 25 * 60_000;
const MAX_ALLOC = 256 * 1024 * 1024;
/** Answering requests takes priority over conversions. */
const NICE = 10;
/** Contains none of the server's secrets. */
const ENVIRONMENT = { NODE_ENV: 'production', PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' } as const;

const DEMUXERS: Record<ConvertibleFormat, string> = { m4a: 'mov', wav: 'wav', flac: 'flac', ogg: 'ogg' };
const PCM = ['u8', 's16le', 's24le', 's32le', 'f32le', 'f64le', 'alaw', 'mulaw'].map((name) => `pcm_${name}`);
const DECODERS = ['aac', 'alac', 'flac', 'vorbis', 'opus', 'mp3', 'mp3float', 'adpcm_ms', 'adpcm_ima_wav', ...PCM];

/**
 * Input files are untrusted: one demuxer, which the first bytes chose, reads them with the decoders of a list. A file
 * can name no other file and no address: playlists are a format of their own, and FFmpeg may open only this file and
 * pipes.
 */
function inputArguments(file: string, format: ConvertibleFormat, decoders: string[]): string[] {
  const demuxer = DEMUXERS[format];
  const reading = ['-protocol_whitelist', 'file,pipe', '-format_whitelist', demuxer, '-f', demuxer];
  const decoding = ['-codec_whitelist', decoders.join(','), '-max_alloc', String(MAX_ALLOC), '-threads', '1'];
  return ['-hide_banner', '-nostdin', '-nostats', '-v', 'info', ...decoding, ...reading, '-i', `file:${file}`];
}

/** The first recording of the file, with its title and chapters, as MP3 with a constant bit rate. */
export function conversionArguments(file: string, format: ConvertibleFormat, maxBytes: number): string[] {
  // FFmpeg keeps the title of an Ogg file with its stream
  const tags = ['-map_metadata', format === 'ogg' ? '0:s:a:0' : '0', '-map_chapters', '0'];
  const codec = ['-c:a', 'libmp3lame', '-b:a', `${CONVERTED_KBPS}k`, '-ar', '44100', '-threads', '1'];
  // FFmpeg can't write a size at the start of a pipe, and a constant bit rate needs none
  const output = ['-bitexact', '-write_xing', '0', '-fs', String(maxBytes + 1), '-f', 'mp3', 'pipe:1'];
  return [
    ...inputArguments(file, format, DECODERS),
    '-map',
    '0:a:0',
    '-vn',
    '-sn',
    '-dn',
    ...tags,
    ...codec,
    ...output,
  ];
}

/** The first picture of the file, unchanged; for a video, some bytes that are not an image. */
export function pictureArguments(file: string, format: ConvertibleFormat, maxBytes: number): string[] {
  const output = ['-c', 'copy', '-frames:v', '1', '-fs', String(maxBytes), '-f', 'image2pipe', 'pipe:1'];
  return [...inputArguments(file, format, ['none']), '-map', '0:v:0', ...output];
}

/**
 * Runs FFmpeg and writes its output to a file. Kills it after a time that depends on the duration, and at once if it
 * writes too much or the file states that it is too long.
 * @throws if it can't be started, and if the output can't be written
 */
export async function runFfmpeg(
  program: string,
  { args, output, signal }: FfmpegWork,
  limits: RunLimits,
): Promise<FfmpegRun> {
  const child = spawn(program, args, {
    cwd: dirname(output),
    env: ENVIRONMENT,
    // a group of its own, so that a wrapper script is killed with its children
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid) lowerPriority(child.pid);
  const watch = watchRun(child, limits);
  const messages = readReport(watch.inform);
  child.stderr.on('data', messages.write);
  const kill = () => killGroup(child);
  signal?.addEventListener('abort', kill);
  const ended = endOf(child);
  try {
    const writing = pipeline(child.stdout, limitTo(limits.maxBytes, watch.stop), createWriteStream(output));
    const [status] = await Promise.all([ended, writing]);
    return { status, stopped: watch.stopped(), report: messages.report, messages: messages.tail() };
  } finally {
    signal?.removeEventListener('abort', kill);
    watch.end();
    await ended.catch(() => {});
  }
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, NICE);
  } catch {
    // it has ended already
  }
}

/** The exit status; null if it was killed. @throws if it could not be started */
function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}

function watchRun(child: ChildProcess, { maxDurationMs, timeoutMs }: RunLimits) {
  const began = performance.now();
  let stopped: FfmpegRun['stopped'] = null;
  let timer = setTimeout(() => stop('timeout'), timeoutMs);
  function stop(reason: FfmpegRun['stopped']): void {
    stopped ??= reason;
    killGroup(child);
  }
  return {
    stop: () => stop('too_long'),
    stopped: () => stopped,
    inform({ durationMs, isOpened, isProtected }: FfmpegReport): void {
      if (isProtected) stop('protected');
      if (durationMs !== null && durationMs > maxDurationMs) stop('too_long');
      if (stopped || !isOpened) return;
      clearTimeout(timer);
      const allowed = Math.min(LONGEST_RUN_MS, timeoutMs + (durationMs ?? maxDurationMs) / SLOWEST_SPEED);
      timer = setTimeout(() => stop('timeout'), Math.max(0, began + allowed - performance.now()));
    },
    end(): void {
      clearTimeout(timer);
      killGroup(child);
    },
  };
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // it has ended already
  }
}

/** Passes bytes through and calls `onMore` before the first ones above the limit, which it drops. */
function limitTo(maxBytes: number, onMore: () => void): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      if (bytes <= maxBytes) return done(null, chunk);
      onMore();
      done();
    },
  });
}
