import type { ServedPart } from '~/db/values/insertions';
import { SOUNDBITE_LIMITS } from '../../limits/soundbites';
import { type Cue, isTimed, type TimedCue, type WordTime } from '../../transcript/model';
import { wordsOf, wordTimes } from '../../transcript/words';

/** A passage of an episode, in milliseconds. */
export type Span = { startMs: number; endMs: number };
/** What is said in a soundbite. `startMs` and `endMs` count from its start. */
export type Caption = Span & { speaker: string | null; text: string };

/**
 * The passages of a transcript that are heard in a soundbite. Of a passage that begins before or ends after it, only the
 * words inside stay.
 */
export function captionsIn(cues: readonly Cue[], span: Span): Caption[] {
  const heard = cues.filter(isTimed).flatMap((cue) => partOf(cue, span));
  return heard.slice(0, SOUNDBITE_LIMITS.cues).map(({ text, speaker, startMs, endMs }) => ({
    startMs: Math.max(0, startMs - span.startMs),
    endMs: Math.min(endMs, span.endMs) - span.startMs,
    speaker,
    text,
  }));
}

function partOf(cue: TimedCue, { startMs, endMs }: Span): TimedCue[] {
  if (cue.endMs <= startMs || cue.startMs >= endMs) return [];
  if (cue.startMs >= startMs && cue.endMs <= endMs) return [cue];
  const said = wordsOf(cue.text);
  const times = wordTimes(cue);
  const isInside = ([from, to]: WordTime) => (from + to) / 2 >= startMs && (from + to) / 2 < endMs;
  const inside = said.flatMap((word, index) => (isInside(times[index]!) ? [{ word, time: times[index]! }] : []));
  const [first, last] = [inside[0], inside.at(-1)];
  if (!first || !last) return [];
  return [{ ...cue, text: inside.map(({ word }) => word).join(' '), startMs: first.time[0], endMs: last.time[1] }];
}

/**
 * Where a passage of an episode is heard in a rendition with these parts, in milliseconds. Clips inside it belong to it, but
 * not one at its end; it has no length if it is left out.
 */
export function heardSpan(parts: readonly ServedPart[], { startMs, endMs }: Span): Span {
  const heard = parts.flatMap(({ heardMs, fromMs, lengthMs }) => {
    const [from, to] = [Math.max(startMs, fromMs), Math.min(endMs, fromMs + lengthMs)];
    return to > from ? [{ startMs: heardMs + from - fromMs, endMs: heardMs + to - fromMs }] : [];
  });
  return { startMs: heard[0]?.startMs ?? 0, endMs: heard.at(-1)?.endMs ?? 0 };
}
