import { DAYS, HOURS, MINUTES, SECONDS } from '../base/time';
import { KILOBYTES, MEGABYTES } from './sizes';

/** Bounds for feeds of other hosts. The feed reader reports everything beyond them as lost. */
export const FEED_IMPORT_LIMITS = {
  bytes: 32 * MEGABYTES,
  tags: 1_500_000,
  depth: 64,
  attributes: 64,
  text: 5 * MEGABYTES,
  items: 20_000,
  list: 500,
  pages: 50,
} as const;

/**
 * Limits of imports. `previewedCoverMs`: how long a preview waits for the show's cover. `proofFor`: how long the link and the code are valid. `atOnce`: concurrent runs of all creators,
 * `perAccount` of one account. `turn`: after this long, a run leaves its place to waiting imports with each step.
 * `stepMs`: how long one job works before jobs of other imports run. `attempts`: for each
 * episode, and for reading the feed, with pauses that begin at `retryMs`; a host may ask for up to `longestWaitMs`. After
 * `longest`, an import ends without the episodes that are left. `checksMs`: how long the result
 * waits for checks of audio. `overdue`: a run without progress for this long continues with a new job. Copying the
 * chapter pictures of one episode stops after `chapterPicturesMs`, or after too many failures. `kept`: how long the
 * state of each episode can be looked up after the end.
 */
export const IMPORT_LIMITS = {
  urlLength: 2000,
  guidLength: 1000,
  previewedEpisodes: 5,
  previewedCoverMs: SECONDS(5),
  proofFor: HOURS(48),
  emailsPerDay: 10,
  atOnce: 4,
  perAccount: 2,
  turn: MINUTES(30),
  stepMs: SECONDS(20),
  attempts: 5,
  busyAttempts: 20,
  retryMs: SECONDS(30),
  longestWaitMs: HOURS(1),
  longest: HOURS(12),
  checksMs: HOURS(1),
  checkPauseMs: SECONDS(2),
  overdue: MINUTES(30),
  recoveredAtOnce: 100,
  kept: DAYS(90),
  sweptAtOnce: 50,
  insertedAtOnce: 500,
  listed: 50,
  textBytes: 2 * MEGABYTES,
  coverBytes: 20 * MEGABYTES,
  chapterPicturesMs: SECONDS(30),
  chapterPictureFaults: 3,
} as const;

/**
 * Feeds that visitors look at before they have an account. `bytes`, `items`: of the feed, of which only the first page is
 * read; `wholeMs`: for reading it with its cover. `atOnce`: in one process, `perHost` of one host. `episodes`,
 * `notesLength`, `coverWidth`: what the page shows. `coverBytes`: of the cover at its host; `shownCoverBytes`: on the page.
 * `kept`: how long the page stays; `sweptAtOnce`: deleted in one step.
 */
export const SHOW_PREVIEW_LIMITS = {
  bytes: 12 * MEGABYTES,
  items: 3000,
  wholeMs: SECONDS(12),
  atOnce: 8,
  perHost: 2,
  episodes: 20,
  notesLength: 200,
  coverWidth: 400,
  coverBytes: 3 * MEGABYTES,
  shownCoverBytes: 80 * KILOBYTES,
  kept: HOURS(24),
  sweptAtOnce: 500,
} as const;

/**
 * Feeds at former hosts. `every`: the interval between polls of a followed feed; each failed poll doubles it, up to
 * `longest`. After `failures` in a row, about six days, polling ends. `watchEvery`, `watchFor`: for a feed that is only
 * watched until it redirects. `counted`: days of downloads in the report.
 */
export const OLD_FEED_LIMITS = {
  every: HOURS(1),
  longest: DAYS(1),
  failures: 10,
  watchEvery: DAYS(1),
  watchFor: DAYS(60),
  counted: 30,
} as const;
