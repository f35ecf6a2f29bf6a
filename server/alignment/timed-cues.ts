import { FEATURES_PER_SECOND } from '../audio/speech-features';
import type { TimedCue, WordTime } from '../transcript/model';
import { shared } from '../transcript/words';
import type { Aligned, StepSpan } from './align-sound';
import type { Sentence } from './script';

const STEP_MS = 1000 / FEATURES_PER_SECOND;
/** A word that is not heard takes no longer than that for each character. */
const CHARACTER_MS = 80;
/** How much better a word fits than other sounds do, as a share: below the first it is not the word, above the second it is. */
const [UNLIKE, ALIKE] = [0.05, 0.25];

type Heard = { span: WordTime; likeness: number };

/**
 * The sentences with the times at which their words were found. Words that were not found share the time between their
 * neighbours. `confidence` is the share of a sentence that was found, weighted by how well it fits.
 * @param spoken for each word of all sentences, whether it was part of the spoken text
 * @param spans the steps of the spoken text that are each spoken word
 */
export function timedCues(
  sentences: Sentence[],
  { spoken, spans }: { spoken: boolean[]; spans: StepSpan[] },
  aligned: Aligned,
): TimedCue[] {
  const heard = heardWords(spans, aligned);
  let next = 0;
  const words = spoken.map((isSpoken) => (isSpoken ? (heard[next++] ?? null) : null));
  const times = withoutGaps(
    sentences.flatMap((sentence) => sentence.words),
    words,
    aligned.matches.length * STEP_MS,
  );
  let at = 0;
  return sentences.map(({ speaker, text, words: own }) => {
    const [from, to] = [at, at + own.length];
    at = to;
    const span = times.slice(from, to);
    return {
      startMs: span[0]![0],
      endMs: span.at(-1)![1],
      speaker,
      text,
      words: span,
      confidence: confidenceOf(words.slice(from, to).filter((_, i) => spoken[from + i])),
    };
  });
}

function heardWords(spans: StepSpan[], { matches, costs, other }: Aligned): (Heard | null)[] {
  const heard: (Heard & { steps: number })[] = [];
  let word = 0;
  for (let step = 0; step < matches.length; step++) {
    const match = matches[step]!;
    if (match < 0) continue;
    while (word + 1 < spans.length && spans[word + 1]![0] <= match) word += 1;
    // the pause after a word is not part of it
    if (match >= spans[word]![1]) continue;
    const found = heard[word] ?? { span: [step * STEP_MS, 0], likeness: 0, steps: 0 };
    heard[word] = found;
    found.span[1] = (step + 1) * STEP_MS;
    found.likeness += (other[step]! - costs[step]!) / Math.max(other[step]!, 0.01);
    found.steps += 1;
  }
  return spans.map((_, i) => {
    const found = heard[i];
    return found ? { span: found.span, likeness: found.likeness / found.steps } : null;
  });
}

/** Null for a sentence without a word that can be said. */
function confidenceOf(words: (Heard | null)[]): number {
  if (words.length === 0) return 0;
  const sum = words.reduce((total, word) => total + (word ? clamp((word.likeness - UNLIKE) / (ALIKE - UNLIKE)) : 0), 0);
  return Math.round((100 * sum) / words.length) / 100;
}

const clamp = (share: number) => Math.max(0, Math.min(1, share));

function withoutGaps(words: string[], heard: (Heard | null)[], durationMs: number): WordTime[] {
  const times: WordTime[] = [];
  for (let i = 0; i < words.length; ) {
    const found = heard[i];
    if (found) {
      times.push([...found.span]);
      i += 1;
      continue;
    }
    let end = i;
    while (end < words.length && !heard[end]) end += 1;
    times.push(...timesOfGap(words.slice(i, end), times.at(-1)?.[1] ?? null, heard[end]?.span[0] ?? null, durationMs));
    i = end;
  }
  return times;
}

/** The unheard words follow the word before them; at the beginning, they precede the first one that was heard. */
function timesOfGap(words: string[], before: number | null, after: number | null, durationMs: number): WordTime[] {
  const longest = words.reduce((sum, word) => sum + word.length, 0) * CHARACTER_MS;
  const to = after ?? durationMs;
  if (before === null) return shared(words, Math.max(0, to - longest), to);
  return shared(words, before, Math.max(before, Math.min(to, before + longest)));
}
