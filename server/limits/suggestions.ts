import { DAYS, HOURS, MINUTES, SECONDS } from '../base/time';

/**
 * Suggestions of a language model. `perDay`: runs of a creator on a UTC day. `characters`: of a transcript that is sent.
 * `answerFor`: how long the model may take. `retryAfter`: the pause while it is away, and `givenUp`: after that, the run
 * fails. `lostAfter`: a run without an end so long after its first attempt was lost, and another one may begin;
 * `unbegunAfter`: one without any attempt.
 *
 * Of its answer: `titleLength`, `notesLength`, `chapterLength` and `quoteLength` in characters. `quoteWords`: a shorter
 * quote proves nothing. `nearMs`: how far a quote may be from the time that the model names for it. `quotes`: of the
 * notes. `listed`: chapters that are read at all.
 *
 * Apple advises at least three chapters, and three to six for each hour: `chapters` and `chaptersPerHour`.
 */
export const SUGGESTION_LIMITS = {
  perDay: 20,
  characters: 300_000,
  answerFor: MINUTES(5),
  retryAfter: MINUTES(1),
  givenUp: MINUTES(30),
  lostAfter: HOURS(1),
  unbegunAfter: DAYS(1),
  titleLength: 120,
  notesLength: 2000,
  chapterLength: 60,
  quoteLength: 400,
  quoteWords: 3,
  nearMs: SECONDS(30),
  quotes: 8,
  listed: 200,
  chapters: 3,
  chaptersPerHour: 6,
} as const;
