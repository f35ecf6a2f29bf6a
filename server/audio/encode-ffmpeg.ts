import { spawn } from 'node:child_process';
import type { Mp3Format, Sound } from './encode-mp3';

/** Ten minutes take a few seconds. */
const GIVE_UP_AFTER_MS = 120_000;
const MAX_COMPLAINT = 2000;

/** A system FFmpeg with LAME, at a constant bit rate. Samples go in as they are, frames come out without tags. */
export function encodeWithFfmpeg(
  path: string,
  { sampleRate, channels }: Sound,
  format: Mp3Format,
): Promise<Uint8Array> {
  const input = ['-f', 'f32le', '-ar', String(sampleRate), '-ac', String(channels.length), '-i', 'pipe:0'];
  const codec = ['-c:a', 'libmp3lame', '-b:a', `${format.kbps}k`];
  const output = ['-ar', String(format.sampleRate), '-ac', String(format.channels), ...codec];
  const bare = ['-map_metadata', '-1', '-write_xing', '0', '-id3v2_version', '0', '-f', 'mp3', 'pipe:1'];
  const child = spawn(path, ['-v', 'error', ...input, ...output, ...bare], { timeout: GIVE_UP_AFTER_MS });
  const parts: Buffer[] = [];
  let complaint = '';
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  child.stderr.on('data', (part: Buffer) => {
    complaint = (complaint + part).slice(0, MAX_COMPLAINT);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    // it may end before it has read everything; its status tells
    child.stdin.once('error', () => {});
    child.once('close', (status) => {
      if (status === 0) resolve(Buffer.concat(parts));
      else reject(new Error(`ffmpeg ended with ${status}: ${complaint}`));
    });
    child.stdin.end(interleaved(channels));
  });
}

function interleaved(channels: Float32Array[]): Buffer {
  const width = channels.length;
  const samples = new Float32Array(channels[0]!.length * width);
  channels.forEach((channel, c) => {
    for (let i = 0; i < channel.length; i++) samples[i * width + c] = channel[i]!;
  });
  return Buffer.from(samples.buffer);
}
