import type { ByteSource } from './bytes';
import { type DecodingLosses, openStreamDecoder } from './decode';
import { readFrames } from './frame-reader';
import type { Indexed } from './indexing';

/** The delay that every MP3 decoder adds. The encoder's numbers do not include it. */
const DECODER_DELAY = 529;

/**
 * A clip's samples as its encoder needs them, piece by piece: without the first encoder's delay and padding, in the
 * right number of channels, amplified. `losses` is complete after the last piece.
 */
export function clipSound(clip: ByteSource, indexed: Indexed, shape: { channels: 1 | 2; gainDb: number }) {
  const { index } = indexed;
  const factor = 10 ** (shape.gainDb / 20);
  const trim = createTrimmer(indexed);
  let losses: DecodingLosses = { undecodedFrames: 0, decoderError: null };
  async function* pieces(): AsyncGenerator<Float32Array[], void> {
    const decoder = await openStreamDecoder(index);
    try {
      for await (const { bytes, frames } of readFrames(clip, index)) {
        for (const decoded of decoder.decode(bytes, frames)) {
          const pcm = trim(decoded);
          if (pcm[0]!.length > 0) yield toChannels(amplify(pcm, factor), shape.channels);
        }
      }
      losses = decoder.losses();
    } finally {
      decoder.free();
    }
  }
  return { pieces: pieces(), losses: () => losses };
}

/** Expects the pieces in order. */
function createTrimmer({ index, mp3 }: Indexed): (pcm: Float32Array[]) => Float32Array[] {
  const { delay, padding } = mp3.infoFrame?.gapless ?? { delay: 0, padding: 0 };
  const total = index.frames * index.samplesPerFrame;
  const start = delay + DECODER_DELAY;
  const end = total - Math.max(0, padding - DECODER_DELAY);
  if (!mp3.infoFrame?.gapless || start >= end) return (pcm) => pcm;
  let at = 0;
  return (pcm) => {
    const from = Math.max(0, start - at);
    const to = Math.max(from, end - at);
    at += pcm[0]!.length;
    return pcm.map((channel) => channel.subarray(from, to));
  };
}

/** Modifies the samples in place: nothing else uses them. */
function amplify(pcm: Float32Array[], factor: number): Float32Array[] {
  if (factor === 1) return pcm;
  for (const channel of pcm) for (let i = 0; i < channel.length; i++) channel[i]! *= factor;
  return pcm;
}

function toChannels([left, right]: Float32Array[], channels: 1 | 2): Float32Array[] {
  if (channels === 2) return [left!, right ?? left!];
  return right ? [left!.map((x, i) => (x + right[i]!) / 2)] : [left!];
}
