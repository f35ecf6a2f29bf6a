import { createHash } from 'node:crypto';
import { frameLength, HEADER_BYTES, streamFormat, timeOf } from '../../audio/frame-header';

/** A recording whose words are known: each with its start and its end in milliseconds. `mp3`: in base64. */
export type Speech = { language: string; words: [text: string, startMs: number, endMs: number][]; mp3: string };
export type FoundSpeech = { language: string; durationMs: number; words: Speech['words'] };

/** Frames of a piece that must come from the recording. The first one only makes the piece decode. */
const NEEDED_SHARE = 0.9;

/** Recognises pieces of known recordings by their frames, which cutting and tagging do not change. */
export function knownSpeech(recordings: readonly Speech[]): (piece: Uint8Array) => FoundSpeech | null {
  const known = recordings.map(({ language, words, mp3 }) => {
    const hashes = hashesOf(Buffer.from(mp3, 'base64'));
    return { language, words, positions: new Map(hashes.map((hash, index) => [hash, index])), hashes };
  });
  return (piece) => {
    const hashes = hashesOf(piece);
    if (hashes.length === 0) return null;
    const timing = streamFormat(piece, 0);
    for (const { language, words, positions, hashes: all } of known) {
      const first = hashes.findIndex((hash) => positions.has(hash));
      if (first === -1) continue;
      const offset = positions.get(hashes[first]!)! - first;
      const same = hashes.filter((hash, index) => all[offset + index] === hash).length;
      if (same < NEEDED_SHARE * hashes.length) continue;
      const [startMs, durationMs] = [timeOf(timing, offset), timeOf(timing, hashes.length)];
      // the silent frame before the recording's own frames has no words
      const silentMs = timeOf(timing, first);
      const inPiece = words
        .map(([text, from, to]): Speech['words'][number] => [text, from - startMs, to - startMs])
        .filter(([, from, to]) => (from + to) / 2 >= silentMs && (from + to) / 2 < durationMs);
      return { language, durationMs, words: inPiece };
    }
    return null;
  };
}

function hashesOf(mp3: Uint8Array): string[] {
  const hashes: string[] = [];
  for (let at = 0; at + HEADER_BYTES <= mp3.length; ) {
    const length = frameLength(mp3, at);
    if (length === 0 || at + length > mp3.length) break;
    hashes.push(
      createHash('sha1')
        .update(mp3.subarray(at, at + length))
        .digest('base64'),
    );
    at += length;
  }
  return hashes;
}
