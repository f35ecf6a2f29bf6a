import { bufferSource } from '../../audio/bytes';
import { checkMp3 } from '../../audio/check-mp3';
import { cutMp3 } from '../../audio/cut';
import { indexMp3 } from '../../audio/indexing';
import type { Ctx } from '../../runtime/ctx';

/** A passage of a stored MP3; times in milliseconds. */
type StoredPassage = { audioKey: string; startMs: number; endMs: number };
export type CutAudio = { bytes: Buffer; durationMs: number };

/**
 * A passage of a stored MP3 as a file of its own, of at most `longestMs`. Null if the file no longer exists, or less than
 * `shortestMs` of the passage is in it.
 */
export async function cutPassage(
  { storage }: Ctx['ports'],
  { audioKey: key, ...passage }: StoredPassage,
  { shortestMs, longestMs }: { shortestMs: number; longestMs: number },
): Promise<CutAudio | null> {
  const file = await storage.open(key);
  if (!file) return null;
  try {
    const source = { size: file.bytes, read: file.readInto };
    const found = await indexMp3(source);
    if (!found.ok) return null;
    const recording = { key, sha256: key, index: found.index, source };
    const bytes = await cutMp3(recording, { ...passage, maxMs: longestMs });
    const cut = bytes && (await checkMp3(bufferSource(bytes), { minDurationMs: shortestMs }));
    return bytes && cut?.ok ? { bytes, durationMs: cut.durationMs } : null;
  } finally {
    await file.close();
  }
}
