import type { ByteSource } from './bytes';
import { type DecodingLosses, openPlayer } from './decode';
import { readFrames } from './frame-reader';
import type { Indexed } from './indexing';

/** What an MP3 decoder itself adds in front, by which an encoder's figures have to be moved. */
const DECODER_DELAY = 529;

/**
 * A clip's sound as its encoder is to get it, piece by piece: without what its first encoder put before and behind it, in
 * one channel or two, amplified. `losses` holds when all pieces are through.
 */
export function clipSound(clip: ByteSource, found: Indexed, shape: { channels: 1 | 2; gainDb: number }) {
  const { index } = found;
  const factor = 10 ** (shape.gainDb / 20);
  const trim = trimmer(found);
  let losses: DecodingLosses = { undecodedFrames: 0, complaint: null };
  async function* pieces(): AsyncGenerator<Float32Array[], void> {
    const player = await openPlayer(index);
    try {
      for await (const { bytes, frames } of readFrames(clip, index)) {
        for (const decoded of player.play(bytes, frames)) {
          const pcm = trim(decoded);
          if (pcm[0]!.length > 0) yield inChannels(amplified(pcm, factor), shape.channels);
        }
      }
      losses = player.losses();
    } finally {
      player.free();
    }
  }
  return { pieces: pieces(), losses: () => losses };
}

/** Takes pieces in their order. */
function trimmer({ index, mp3 }: Indexed): (pcm: Float32Array[]) => Float32Array[] {
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

/** In place: a decoded piece is nobody else's. */
function amplified(pcm: Float32Array[], factor: number): Float32Array[] {
  if (factor === 1) return pcm;
  for (const channel of pcm) for (let i = 0; i < channel.length; i++) channel[i]! *= factor;
  return pcm;
}

function inChannels([left, right]: Float32Array[], wanted: 1 | 2): Float32Array[] {
  if (wanted === 2) return [left!, right ?? left!];
  return right ? [left!.map((x, i) => (x + right[i]!) / 2)] : [left!];
}
