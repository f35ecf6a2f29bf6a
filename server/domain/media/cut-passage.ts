import { bufferSource } from '../../audio/bytes';
import { checkMp3 } from '../../audio/check-mp3';
import { cutMp3 } from '../../audio/cut';
import type { Ctx } from '../../runtime/ctx';
import { openRecording } from './recordings';

/** A passage of an episode's stored MP3; times in milliseconds. */
type StoredPassage = { audioKey: string; startMs: number; endMs: number };
export type CutAudio = { bytes: Buffer; durationMs: number };

/**
 * A passage of an episode's MP3 as a file of its own, of at most `longestMs`. Null if the file no longer exists, or less
 * than `shortestMs` of the passage is in it.
 */
export async function cutPassage(
  { storage }: Ctx['ports'],
  { audioKey: key, ...passage }: StoredPassage,
  { shortestMs, longestMs }: { shortestMs: number; longestMs: number },
): Promise<CutAudio | null> {
  // the stored index: reading hours of sound for it would take a second of the processor
  const recording = await openRecording(storage, { key, sha256: key, keepsIndex: true });
  if (!recording) return null;
  try {
    const bytes = await cutMp3(recording, { ...passage, maxMs: longestMs });
    const cut = bytes && (await checkMp3(bufferSource(bytes), { minDurationMs: shortestMs }));
    return bytes && cut?.ok ? { bytes, durationMs: cut.durationMs } : null;
  } finally {
    await recording.close();
  }
}
