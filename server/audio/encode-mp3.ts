import type { createMp3Encoder } from 'wasm-media-encoders';
import { bitratesOf } from './frame-header';

export type Sound = { sampleRate: number; channels: Float32Array[] };
/** Sound as it comes, each piece with one array per channel. */
export type SoundStream = { sampleRate: number; channels: 1 | 2; pieces: AsyncIterable<Float32Array[]> };
export type Mp3Format = { version: 1 | 2 | 2.5; sampleRate: number; channels: 1 | 2; kbps: number };
type Options = Parameters<Awaited<ReturnType<typeof createMp3Encoder>>['configure']>[0];

/** Samples per call: the encoder copies each batch into its own memory. */
const BATCH = 65_536;
/** LAME, in any build, goes no higher for MPEG-2.5: it would write this in place of what it is asked for. */
const HIGHEST_OF_2_5 = 64;
/** Bit rates of the format that LAME as WebAssembly refuses, and the next that it takes. */
const INSTEAD: Record<number, number> = { 56: 64, 144: 160 };

/** The format's bit rate, in kbit/s, that is nearest to `bitrate` in bits per second; rather the higher one. */
export function nearestBitrate(version: 1 | 2 | 2.5, bitrate: number): number {
  const rates = bitratesOf(version);
  return rates.reduce((best, kbps) => {
    const distance = Math.abs(kbps * 1000 - bitrate);
    return distance <= Math.abs(best * 1000 - bitrate) ? kbps : best;
  });
}

/** The bit rate nearest to `kbps` that a LAME can write, as the system's FFmpeg has it or as WebAssembly. */
export function encodableBitrate(version: 1 | 2 | 2.5, kbps: number, encoder: 'ffmpeg' | 'wasm'): number {
  const possible = encoder === 'wasm' ? (INSTEAD[kbps] ?? kbps) : kbps;
  return version === 2.5 ? Math.min(possible, HIGHEST_OF_2_5) : possible;
}

/** LAME as WebAssembly, at a constant bit rate. It resamples where that is wanted. */
export async function encodeMp3({ sampleRate, channels }: Sound, format: Mp3Format): Promise<Uint8Array> {
  async function* batches() {
    for (let at = 0; at < channels[0]!.length; at += BATCH) yield channels.map((all) => all.subarray(at, at + BATCH));
  }
  return encodeStream({ sampleRate, channels: channels.length === 1 ? 1 : 2, pieces: batches() }, format);
}

/** The same as the sound comes. */
export async function encodeStream({ pieces, ...input }: SoundStream, format: Mp3Format): Promise<Uint8Array> {
  const lame = await import('wasm-media-encoders');
  const encoder = await lame.createMp3Encoder();
  encoder.configure({
    ...input,
    bitrate: format.kbps as Options['bitrate'] & number,
    // left out, LAME chooses a lower one at low bit rates
    outputSampleRate: format.sampleRate as Options['outputSampleRate'],
  });
  const parts: Uint8Array[] = [];
  // the encoder goes on using the bytes that it answers
  for await (const piece of pieces) parts.push(encoder.encode(piece).slice());
  parts.push(encoder.finalize().slice());
  return Buffer.concat(parts);
}
