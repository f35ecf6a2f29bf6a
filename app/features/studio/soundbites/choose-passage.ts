import type { Span } from '~/server/domain/soundbites/rules';
import { SOUNDBITE_LIMITS } from '~/server/limits/soundbites';

/** Whether a passage of the transcript lies in the chosen span. */
export const isChosen = (span: Span, passage: Span): boolean =>
  passage.startMs >= span.startMs && passage.endMs <= span.endMs;

/** The chosen span reaches to the passage that is pressed; one that is already in it, or too far away, begins another. */
export function choosePassage(span: Span, passage: Span): Span {
  const reached = { startMs: Math.min(span.startMs, passage.startMs), endMs: Math.max(span.endMs, passage.endMs) };
  const isNear = reached.endMs - reached.startMs <= SOUNDBITE_LIMITS.longestMs;
  return isNear && !isChosen(span, passage) ? reached : passage;
}

const TITLE_WORDS = 9;

/** The first words of a passage, for the title of a soundbite. */
export function titleFrom(text: string): string {
  const words = text.split(/\s+/).filter(Boolean);
  const first = words
    .slice(0, TITLE_WORDS)
    .join(' ')
    .replace(/[,;:]$/, '');
  return words.length > TITLE_WORDS ? `${first}…` : first;
}
