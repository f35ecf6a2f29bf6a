import type { Silence } from '../audio/peaks';

/** A part of a sound, in milliseconds. */
export type SpeechSpan = { startMs: number; endMs: number };
/** How loud each step of a sound is. */
type Powers = { stepMs: number; powers: ArrayLike<number> };

/** Whisper hears thirty seconds at most, and others get worse with length. */
export const LONGEST_SPAN_MS = 25_000;
/** Across a longer pause, a span would end with silence, for which models make words up. */
const JOINED_OVER_MS = 1_500;
/** Clicks. */
const SHORTEST_MS = 150;
/** Soft sounds begin and end words. */
const PADDING_MS = 100;

/** The parts in which somebody may speak: between pauses, joined to sentences, and never longer than models can hear. */
export function speechSpans(silences: readonly Silence[], sound: Powers): SpeechSpan[] {
  const durationMs = sound.powers.length * sound.stepMs;
  const joined: SpeechSpan[] = [];
  for (const span of betweenPauses(silences, durationMs).flatMap((long) => cut(long, sound))) {
    const last = joined.at(-1);
    const isNear = last && span.startMs - last.endMs <= JOINED_OVER_MS;
    if (isNear && span.endMs - last.startMs <= LONGEST_SPAN_MS) last.endMs = span.endMs;
    else joined.push({ ...span });
  }
  const spoken = joined.filter(({ startMs, endMs }) => endMs - startMs >= SHORTEST_MS);
  return spoken.map(({ startMs, endMs }, i) => ({
    startMs: Math.max(spoken[i - 1]?.endMs ?? 0, startMs - PADDING_MS),
    endMs: Math.min(spoken[i + 1]?.startMs ?? durationMs, endMs + PADDING_MS),
  }));
}

function betweenPauses(silences: readonly Silence[], durationMs: number): SpeechSpan[] {
  const ends = [0, ...silences.map(({ endMs }) => endMs)];
  const starts = [...silences.map(({ startMs }) => startMs), durationMs];
  return ends
    .map((startMs, i) => ({ startMs, endMs: Math.min(starts[i]!, durationMs) }))
    .filter(({ startMs, endMs }) => endMs > startMs);
}

/** Without a pause, cuts where it is quietest in the second half of what a model can hear. */
function cut(long: SpeechSpan, { stepMs, powers }: Powers): SpeechSpan[] {
  const parts: SpeechSpan[] = [];
  let { startMs } = long;
  while (long.endMs - startMs > LONGEST_SPAN_MS) {
    const [from, to] = [startMs + LONGEST_SPAN_MS / 2, startMs + LONGEST_SPAN_MS];
    let quietest = Math.floor(from / stepMs);
    for (let step = quietest; (step + 1) * stepMs <= to; step++) if (powers[step]! < powers[quietest]!) quietest = step;
    const endMs = quietest * stepMs + stepMs / 2;
    parts.push({ startMs, endMs });
    startMs = endMs;
  }
  return [...parts, { startMs, endMs: long.endMs }];
}
