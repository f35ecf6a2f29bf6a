import type { createMp3Encoder } from 'wasm-media-encoders';
import { bitratesOf } from './frame-header';

export type Sound = { sampleRate: number; channels: Float32Array[] };
/** Sound as it comes, each piece with one array per channel. */
export type SoundStream = { sampleRate: number; channels: 1 | 2; pieces: AsyncIterable<Float32Array[]> };
export type Mp3Format = { version: 1 | 2 | 2.5; sampleRate: number; channels: 1 | 2; kbps: number };
type Options = Parameters<Awaited<ReturnType<typeof createMp3Encoder>>['configure']>[0];

/** Samples per call: the encoder copies each batch into its own memory. */
const BATCH = 65_536;
/** LAME, in any build, writes this for MPEG-2.5 in place of whatever is higher. */
const HIGHEST_OF_2_5 = 64;
/** LAME as WebAssembly does not take these. */
const REFUSED = [56, 144];

/**
 * The bit rate, in kbit/s, that is nearest to `bitrate` in bits per second among those that an encoder can write; rather the
 * higher one.
 */
export function nearestBitrate(version: 1 | 2 | 2.5, bitrate: number, encoder: 'wasm' | 'ffmpeg' = 'wasm'): number {
  const possible = bitratesOf(version)
    .filter((kbps) => version !== 2.5 || kbps <= HIGHEST_OF_2_5)
    .filter((kbps) => encoder === 'ffmpeg' || !REFUSED.includes(kbps));
  return possible.reduce((best, kbps) => {
    const distance = Math.abs(kbps * 1000 - bitrate);
    return distance <= Math.abs(best * 1000 - bitrate) ? kbps : best;
  });
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
