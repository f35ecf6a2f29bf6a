import type { createMp3Encoder } from 'wasm-media-encoders';
import { bitratesOf } from './frame-header';

export type Sound = { sampleRate: number; channels: Float32Array[] };
/** A stream of samples, one array per channel in each piece. */
export type SoundStream = { sampleRate: number; channels: 1 | 2; pieces: AsyncIterable<Float32Array[]> };
export type Mp3Format = { version: 1 | 2 | 2.5; sampleRate: number; channels: 1 | 2; kbps: number };
type EncoderOptions = Parameters<Awaited<ReturnType<typeof createMp3Encoder>>['configure']>[0];

/** Samples per call; the encoder copies each batch into its own memory. */
const BATCH = 65_536;
/** Every build of LAME uses this bit rate for MPEG-2.5 instead of any higher one. */
const HIGHEST_OF_2_5 = 64;
/** LAME in WebAssembly does not support these. */
const UNSUPPORTED_KBPS = [56, 144];

/**
 * The supported bit rate, in kbit/s, nearest to `bitrate` in bits per second; of two equally near, the higher
 * one.
 */
export function nearestBitrate(version: 1 | 2 | 2.5, bitrate: number, encoder: 'wasm' | 'ffmpeg' = 'wasm'): number {
  const possible = bitratesOf(version)
    .filter((kbps) => version !== 2.5 || kbps <= HIGHEST_OF_2_5)
    .filter((kbps) => encoder === 'ffmpeg' || !UNSUPPORTED_KBPS.includes(kbps));
  return possible.reduce((best, kbps) => {
    const distance = Math.abs(kbps * 1000 - bitrate);
    return distance <= Math.abs(best * 1000 - bitrate) ? kbps : best;
  });
}

/** Encodes with LAME in WebAssembly, at a constant bit rate; resamples if needed. */
export async function encodeMp3({ sampleRate, channels }: Sound, format: Mp3Format): Promise<Uint8Array> {
  async function* batches() {
    for (let at = 0; at < channels[0]!.length; at += BATCH) yield channels.map((all) => all.subarray(at, at + BATCH));
  }
  return encodeStream({ sampleRate, channels: channels.length === 1 ? 1 : 2, pieces: batches() }, format);
}

/** Encodes a stream of samples with LAME in WebAssembly. */
export async function encodeStream({ pieces, ...input }: SoundStream, format: Mp3Format): Promise<Uint8Array> {
  const lame = await import('wasm-media-encoders');
  const encoder = await lame.createMp3Encoder();
  encoder.configure({
    ...input,
    bitrate: format.kbps as EncoderOptions['bitrate'] & number,
    // without this, LAME lowers the sample rate at low bit rates
    outputSampleRate: format.sampleRate as EncoderOptions['outputSampleRate'],
  });
  const parts: Uint8Array[] = [];
  // copied because the encoder reuses the returned array
  for await (const piece of pieces) parts.push(encoder.encode(piece).slice());
  parts.push(encoder.finalize().slice());
  return Buffer.concat(parts);
}
