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
export const captionsIn = (cues: readonly Cue[], span: Span): Caption[] => toCaptions(heardIn(cues, span), span);

/** The captions of a picture or a video, which have room for few words: a long passage becomes several of them. */
export const shortCaptionsIn = (cues: readonly Cue[], span: Span): Caption[] =>
  toCaptions(heardIn(cues, span).flatMap(inShort), span);

const heardIn = (cues: readonly Cue[], span: Span): TimedCue[] =>
  cues.filter(isTimed).flatMap((cue) => partOf(cue, span));

function toCaptions(heard: TimedCue[], span: Span): Caption[] {
  return heard.slice(0, SOUNDBITE_LIMITS.cues).map(({ text, speaker, startMs, endMs }) => ({
    startMs: Math.max(0, startMs - span.startMs),
    endMs: Math.min(endMs, span.endMs) - span.startMs,
    speaker,
    text,
  }));
}

const ENDS_SENTENCE = /[.!?…؟。]["”»’)]*$/u;

/** Parts that end with a sentence, or have about the same length. */
function inShort(cue: TimedCue): TimedCue[] {
  const { captionLength: most } = SOUNDBITE_LIMITS;
  const times = wordTimes(cue);
  const parts: TimedCue[] = [];
  let [rest, even] = [cue.text.length, 0];
  const isFull = (text: string) => text.length >= even || (text.length >= even / 2 && ENDS_SENTENCE.test(text));
  for (const [index, word] of wordsOf(cue.text).entries()) {
    const [startMs, endMs] = times[index]!;
    const last = parts.at(-1);
    const longer = `${last?.text} ${word}`;
    if (last && !isFull(last.text) && longer.length <= most) Object.assign(last, { text: longer, endMs });
    else {
      parts.push({ speaker: cue.speaker, text: word, startMs, endMs });
      even = rest / Math.ceil(rest / most);
    }
    rest -= word.length + 1;
  }
  return parts;
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
  return [
    {
      ...cue,
      text: inside.map(({ word }) => word).join(' '),
      words: inside.map(({ time }) => time),
      ...{ startMs: first.time[0], endMs: last.time[1] },
    },
  ];
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
