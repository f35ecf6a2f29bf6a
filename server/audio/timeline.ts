import { framesUntil, timeOf } from './frame-header';

/** What sounds in a rendition from frame `start` on: frames of the episode from its frame `from`, a clip, or a primer. */
export type Part = {
  role: 'episode' | 'clip' | 'primer';
  start: number;
  frames: number;
  from: number;
  insertion?: number;
};

type Timeline = { sampleRate: number; samplesPerFrame: number; parts: readonly Part[] };

/** Gives each part its place behind the one before. */
export function framesOf(parts: Omit<Part, 'start'>[]): Part[] {
  let start = 0;
  return parts.map((part) => {
    start += part.frames;
    return { ...part, start: start - part.frames };
  });
}

/**
 * Where a moment of the episode sounds in its rendition, in ms: for chapters and transcripts. A moment at a cut is behind the
 * clip, one behind the end at the end. Both timelines begin with the first frame's first sample.
 */
export function toRendition(timeline: Timeline, episodeMs: number): number {
  const frame = framesUntil(timeline, episodeMs);
  const parts = timeline.parts.filter(({ role }) => role === 'episode');
  const part = parts.find(({ from, frames }) => frame < from + frames) ?? parts.at(-1);
  if (!part) return 0;
  return timeOf(timeline, part.start + Math.min(part.frames, Math.max(0, frame - part.from)));
}

/** Which moment of the episode sounds in its rendition at a time, in ms; within a clip or primer, where the episode goes on. */
export function toEpisode(timeline: Timeline, renditionMs: number): { ms: number; insertion: number | null } {
  const frame = framesUntil(timeline, renditionMs);
  const at = timeline.parts.findIndex(({ start, frames }) => frame < start + frames);
  const part = at === -1 ? undefined : timeline.parts[at];
  if (part?.role === 'episode') return { ms: timeOf(timeline, part.from + frame - part.start), insertion: null };
  const next = part && timeline.parts.slice(at).find(({ role }) => role === 'episode');
  const last = timeline.parts.findLast(({ role }) => role === 'episode');
  const ends = last ? last.from + last.frames : 0;
  return { ms: timeOf(timeline, next ? next.from : ends), insertion: part?.insertion ?? null };
}
