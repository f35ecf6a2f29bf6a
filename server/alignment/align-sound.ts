import { FEATURE_SIZE, FEATURES_PER_SECOND, type Features } from '../audio/speech-features';
import { normalizedFeatures, otherCosts, reduced } from './comparable';
import { type Band, findPath, type Path, type Sequence } from './find-path';

/** The steps of a word, the last one excluded. */
export type StepSpan = [from: number, to: number];
/** A spoken text, with a silent step at its end, and its words in order. */
export type SpokenText = { features: Features; spans: StepSpan[] };

/** Steps of both sequences in one step of the first, rough comparison. */
const ROUGH = 4;
const STEPS_PER_MINUTE = (60 * FEATURES_PER_SECOND) / ROUGH;
/** The sound is compared in parts, so that memory does not grow with its length. */
const PART = 10 * STEPS_PER_MINUTE;
/** A part's end is compared again with the next part, because nothing after it says whether it is right. */
const OVERLAP = 2 * STEPS_PER_MINUTE;
/** How much text a part may skip. */
const REACH = 16 * STEPS_PER_MINUTE;
/** How far the exact path may be from the rough one, in steps. */
const MARGIN = 75;

/** For each step of the sound: its place in the text as in `Path`, and what it would cost outside of all words. */
export type Aligned = Path & { other: Float32Array };

/**
 * `share`: see `otherCosts`; the rest: see `PathCosts`. More for leaving the text would read
 * remarks as words, less would lose words that a speaker slurs; docs/decisions/0368 has the errors with these values.
 */
export type Tuning = { share: number; leave: number; omit: number; bend: number };
const TUNING: Tuning = { share: 0.2, leave: 6, omit: 0.12, bend: 0.15 };

/**
 * Finds a text in a sound: roughly first, part by part, then exactly near the rough path.
 * @param report called with the share of the work that is done
 */
export function alignSound(
  sound: Features,
  { features, spans }: SpokenText,
  { tuning = TUNING, report = () => {} }: { tuning?: Tuning; report?: (share: number) => void } = {},
): Aligned {
  const [whole, speech] = [normalizedFeatures(sound), normalizedFeatures(features)];
  const starts = spans.map(([from]) => from);
  const rough = roughPath(reduced(whole, ROUGH), reduced(speech, ROUGH), { starts, tuning, report });
  return exactPath(whole, speech, { starts, rough, tuning });
}

type Search = { starts: number[]; tuning: Tuning; report: (share: number) => void };

/** The place in the speech of each step of the sound, -1 outside of all words. */
function roughPath(sound: Sequence, speech: Sequence, { starts, tuning, report }: Search): Int32Array {
  const isStart = startMarks(starts, ROUGH, speech.steps);
  const other = otherCosts(sound, speech, tuning.share);
  const places = new Int32Array(sound.steps).fill(-1);
  for (let from = 0, textFrom = 0; from < sound.steps; ) {
    const to = Math.min(sound.steps, from + PART);
    const textTo = Math.min(speech.steps, textFrom + REACH);
    const band = wholeBand(to - from, textTo - textFrom);
    const costs = { ...tuning, other: other.subarray(from, to) };
    const marks = isStart.subarray(textFrom, textTo);
    const { matches } = findPath(slice(sound, from, to), slice(speech, textFrom, textTo), band, marks, costs);
    const end = to === sound.steps ? to : to - OVERLAP;
    for (let i = from; i < end; i++) places[i] = matches[i - from]! < 0 ? -1 : matches[i - from]! + textFrom;
    if (end === to) break;
    const next = lastWordBegun(places, isStart, { from, end });
    if (next) {
      places.fill(-1, next.at, end);
      textFrom = next.textAt;
    }
    from = next?.at ?? end;
    report(from / sound.steps);
  }
  return places;
}

/** Where the next part begins: with a word, and after the beginning of this part; null if no word was found. */
function lastWordBegun(places: Int32Array, isStart: Uint8Array, { from, end }: { from: number; end: number }) {
  let at = end - 1;
  while (at > from && places[at]! < 0) at -= 1;
  if (at === from) return null;
  let textAt = places[at]!;
  while (textAt > 0 && isStart[textAt] !== 1) textAt -= 1;
  while (at - 1 > from && places[at - 1]! >= textAt) at -= 1;
  return { at, textAt };
}

function wholeBand(steps: number, speechSteps: number): Band {
  return { low: new Int32Array(steps), high: new Int32Array(steps).fill(speechSteps) };
}

/** The text can be left before each word, and at its end. */
function startMarks(starts: number[], by: number, steps: number): Uint8Array {
  const isStart = new Uint8Array(steps);
  for (const start of starts) isStart[Math.min(steps - 1, Math.floor(start / by))] = 1;
  isStart[0] = 1;
  isStart[steps - 1] = 1;
  return isStart;
}

function slice({ values }: Sequence, from: number, to: number): Sequence {
  return { steps: to - from, values: values.subarray(from * FEATURE_SIZE, to * FEATURE_SIZE) };
}

type Refinement = { starts: number[]; rough: Int32Array; tuning: Tuning };

function exactPath(sound: Sequence, speech: Sequence, { starts, rough, tuning }: Refinement): Aligned {
  const isStart = startMarks(starts, 1, speech.steps);
  const other = otherCosts(sound, speech, tuning.share);
  const band = bandAround(rough, sound.steps, speech.steps);
  // the same for a remark as in the rough comparison would be cheap, because it has four times as many steps
  const costs = { ...tuning, leave: 2 * tuning.leave, other };
  return { ...findPath(sound, speech, band, isStart, costs), other };
}

/** Near the rough path; where it is outside of all words, everything between the words around. */
function bandAround(rough: Int32Array, steps: number, speechSteps: number): Band {
  const [low, high] = [new Int32Array(steps), new Int32Array(steps)];
  const before = new Int32Array(rough.length);
  for (let i = 0, last = 0; i < rough.length; i++) before[i] = last = rough[i]! < 0 ? last : rough[i]!;
  const after = new Int32Array(rough.length);
  const end = Math.floor((speechSteps - 1) / ROUGH);
  for (let i = rough.length - 1, next = end; i >= 0; i--) after[i] = next = rough[i]! < 0 ? next : rough[i]!;
  for (let i = 0; i < steps; i++) {
    const at = Math.min(rough.length - 1, Math.floor(i / ROUGH));
    low[i] = Math.max(0, before[at]! * ROUGH - MARGIN);
    high[i] = Math.min(speechSteps, (after[at]! + 1) * ROUGH + MARGIN);
  }
  // every path begins with the text, of which the first words may be left out
  low[0] = 0;
  return { low, high };
}
