import type { createMp3Encoder } from 'wasm-media-encoders';
import { bitratesOf } from './frame-header';

export type Sound = { sampleRate: number; channels: Float32Array[] };
export type Mp3Format = { version: 1 | 2 | 2.5; sampleRate: number; channels: 1 | 2; kbps: number };
type Options = Parameters<Awaited<ReturnType<typeof createMp3Encoder>>['configure']>[0];

/** Samples per call: the encoder copies each batch into its own memory. */
const BATCH = 65_536;
/** The one bit rate of the format that this encoder refuses. */
const REFUSED = 56;

/** The format's bit rate, in kbit/s, that is nearest to `bitrate` in bits per second; rather the higher one. */
export function nearestBitrate(version: 1 | 2 | 2.5, bitrate: number): number {
  const rates = bitratesOf(version);
  return rates.reduce((best, kbps) => {
    const distance = Math.abs(kbps * 1000 - bitrate);
    return distance <= Math.abs(best * 1000 - bitrate) ? kbps : best;
  });
}

/** LAME as WebAssembly, at a constant bit rate. It resamples where that is wanted. */
export async function encodeMp3({ sampleRate, channels }: Sound, format: Mp3Format): Promise<Uint8Array> {
  const lame = await import('wasm-media-encoders');
  const encoder = await lame.createMp3Encoder();
  const kbps = format.kbps === REFUSED ? 64 : format.kbps;
  encoder.configure({
    sampleRate,
    channels: format.channels,
    bitrate: kbps as Options['bitrate'] & number,
    // left out, LAME chooses a lower one at low bit rates
    outputSampleRate: format.sampleRate as Options['outputSampleRate'],
  });
  const parts: Uint8Array[] = [];
  // the encoder goes on using the bytes that it answers
  for (let at = 0; at < channels[0]!.length; at += BATCH) {
    parts.push(encoder.encode(channels.map((channel) => channel.subarray(at, at + BATCH))).slice());
  }
  parts.push(encoder.finalize().slice());
  return Buffer.concat(parts);
}
