import { framesUntil, timeOf } from './frame-header';

/**
 * A part of a rendition that plays from frame `start`: frames of the episode from its frame `from`, a clip, or a
 * primer.
 */
export type Part = {
  role: 'episode' | 'clip' | 'primer';
  start: number;
  frames: number;
  from: number;
  insertion?: number;
};

type Timeline = { sampleRate: number; samplesPerFrame: number; parts: readonly Part[] };

/** Computes each part's start from the parts before it. */
export function framesOf(parts: Omit<Part, 'start'>[]): Part[] {
  let start = 0;
  return parts.map((part) => {
    start += part.frames;
    return { ...part, start: start - part.frames };
  });
}

/**
 * Converts an episode time to rendition time, in ms, for chapters and transcripts. A time at a cut maps to after the
 * clip, a time past the end to the end. Both timelines start with the first sample.
 */
export function toRendition(timeline: Timeline, episodeMs: number): number {
  const frame = framesUntil(timeline, episodeMs);
  const parts = timeline.parts.filter(({ role }) => role === 'episode');
  const part = parts.find(({ from, frames }) => frame < from + frames) ?? parts.at(-1);
  if (!part) return 0;
  return timeOf(timeline, part.start + Math.min(part.frames, Math.max(0, frame - part.from)));
}

/** Converts rendition time to episode time, in ms; within a clip or primer, to where the episode resumes. */
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
