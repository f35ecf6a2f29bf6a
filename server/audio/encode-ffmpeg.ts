import { type ChildProcess, spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Mp3Format, SoundStream } from './encode-mp3';

/** Ten minutes of audio take a few seconds. */
const TIMEOUT_MS = 120_000;
const MAX_ERROR_OUTPUT = 2000;

/** A system FFmpeg with LAME, at a constant bit rate. Takes raw samples and returns frames without tags. */
export async function encodeWithFfmpeg(path: string, sound: SoundStream, format: Mp3Format): Promise<Uint8Array> {
  const input = ['-f', 'f32le', '-ar', String(sound.sampleRate), '-ac', String(sound.channels), '-i', 'pipe:0'];
  const codec = ['-c:a', 'libmp3lame', '-b:a', `${format.kbps}k`];
  const output = ['-ar', String(format.sampleRate), '-ac', String(format.channels), ...codec];
  const bare = ['-map_metadata', '-1', '-write_xing', '0', '-id3v2_version', '0', '-f', 'mp3', 'pipe:1'];
  const child = spawn(path, ['-v', 'error', ...input, ...output, ...bare], { timeout: TIMEOUT_MS });
  const feeding = pipeline(Readable.from(interleave(sound.pieces)), child.stdin);
  const [outputResult, inputResult] = await Promise.allSettled([readOutput(child), feeding]);
  // the reason why FFmpeg ended is more useful than the broken pipe
  if (outputResult.status === 'rejected') throw outputResult.reason;
  if (inputResult.status === 'rejected') throw inputResult.reason;
  return outputResult.value;
}

function readOutput(child: ChildProcess): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let errorOutput = '';
  child.stdout?.on('data', (part: Buffer) => parts.push(part));
  child.stderr?.on('data', (part: Buffer) => {
    errorOutput = (errorOutput + part).slice(0, MAX_ERROR_OUTPUT);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      if (status === 0) resolve(Buffer.concat(parts));
      else reject(new Error(`ffmpeg ended with ${status}: ${errorOutput}`));
    });
  });
}

async function* interleave(pieces: AsyncIterable<Float32Array[]>): AsyncGenerator<Buffer, void> {
  for await (const channels of pieces) {
    const width = channels.length;
    const samples = new Float32Array(channels[0]!.length * width);
    channels.forEach((channel, c) => {
      for (let i = 0; i < channel.length; i++) samples[i * width + c] = channel[i]!;
    });
    yield Buffer.from(samples.buffer);
  }
}
