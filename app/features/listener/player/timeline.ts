/** A chapter of `/audio/{id}/chapters.json` (Podcasting 2.0). */
export type Chapter = { startTime: number; title: string; img?: string; url?: string };
/** A cue of a transcript's JSON. */
export type Cue = { startTime: number; endTime: number; speaker?: string; body: string };

/** The index of the last entry that has begun; -1 before the first one. Entries are sorted by time. */
export function currentIndex(entries: { startTime: number }[], seconds: number): number {
  return entries.findLastIndex(({ startTime }) => startTime <= seconds);
}
