import type { Silence } from '../audio/peaks';
import type { TimedCue } from '../transcript/model';
import { shared } from '../transcript/words';
import type { Sentence } from './script';

/** How far a sentence may move to begin after a pause. */
const NEAR_MS = 2_000;

/**
 * Times without any comparison: the sentences share the time outside of pauses in proportion to their length, and begin
 * after a pause where one is near. Their confidence is 0.
 */
export function roughTimes(sentences: Sentence[], silences: Silence[], durationMs: number): TimedCue[] {
  const speech = speechBetween(silences, durationMs);
  const total = speech.reduce((sum, [from, to]) => sum + (to - from), 0);
  const characters = sentences.reduce((sum, { text }) => sum + text.length, 0);
  const starts = startsOf(sentences, (count) => placeIn(speech, (total * count) / characters));
  return sentences.map(({ speaker, text, words }, i) => {
    const startMs = starts[i]!;
    const endMs = starts[i + 1] ?? durationMs;
    return { startMs, endMs, speaker, text, words: shared(words, startMs, endMs), confidence: 0 };
  });

  function startsOf(all: Sentence[], at: (count: number) => number): number[] {
    const pauseEnds = speech.map(([from]) => from);
    let [before, next, former] = [0, 0, 0];
    return all.map(({ text }) => {
      const ms = at(before);
      before += text.length;
      while (next + 1 < pauseEnds.length && Math.abs(pauseEnds[next + 1]! - ms) <= Math.abs(pauseEnds[next]! - ms))
        next += 1;
      const pauseEnd = pauseEnds[next];
      const isNear = pauseEnd !== undefined && Math.abs(pauseEnd - ms) <= NEAR_MS && pauseEnd > former;
      former = Math.max(former, Math.round(isNear ? pauseEnd : ms));
      return former;
    });
  }
}

type Span = [fromMs: number, toMs: number];

function speechBetween(silences: Silence[], durationMs: number): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const { startMs, endMs } of silences) {
    if (startMs > from) spans.push([from, Math.min(startMs, durationMs)]);
    from = endMs;
  }
  if (from < durationMs) spans.push([from, durationMs]);
  return spans.length > 0 ? spans : [[0, durationMs]];
}

/** The moment at which that much speech is over. */
function placeIn(speech: Span[], ms: number): number {
  let left = ms;
  for (const [from, to] of speech) {
    if (left < to - from) return from + left;
    left -= to - from;
  }
  return speech.at(-1)![1];
}
