import { DAYS, HOURS, MINUTES, SECONDS } from '../base/time';

/** Releases that wait for a verified address: how many are carried out, and how many are named on pages. */
export const KEPT_RELEASE_LIMITS = { carriedOut: 100, named: 20 } as const;

export const EPISODE_LIMITS = {
  nameLength: 200,
  /** As many characters as the feed has bytes for notes (FEED_LIMITS). */
  descriptionLength: 100_000,
  /** Start and end tags of a description; later ones are removed. */
  descriptionTags: 10_000,
  noteLength: 2000,
  slugLength: 80,
  fileNameLength: 255,
  people: 20,
  personNameLength: 100,
  personUrlLength: 500,
  /** How long a preview link works, at least. */
  previewed: DAYS(7),
  maxSeason: 10_000,
  /** Seasons with a tab on a show's page. */
  seasonsShown: 100,
  /** A show with more episodes has a search on its page. */
  searchedAbove: 50,
  maxNumber: 100_000,
  /** "In the past" tolerates this much: filling in a form takes minutes. */
  pastSlack: MINUTES(5),
  /** The audio check fails shorter files. */
  shortestMs: 1000,
  /** Podcast apps recommend −16 to −14 LUFS. Outside these bounds, listeners turn the volume up or down. */
  usualLoudness: { min: -19, max: -11 },
  /** How long a deletion can be undone. */
  restorable: DAYS(7),
  /** Episodes in one batch action; changing the type of all has no limit. */
  batch: 100,
  /** How long a batch action can be undone. */
  batchUndo: DAYS(1),
  /** Files dropped on the list at once. */
  filesAtOnce: 20,
  checkOverdue: MINUTES(15),
  checkGivenUp: DAYS(1),
  releaseOverdue: MINUTES(1),
  /** The owner gets an email about an episode that was published later than this. */
  releaseLate: HOURS(6),
  /** Subscribers get no email about an episode with an older date: it was imported, or returns to its place. */
  announcedWithin: DAYS(1),
  /** Subscribers whose emails one transaction queues. */
  announcedAtOnce: 200,
  /** Length of the description in emails. */
  excerptLength: 400,
  /** Files without a waveform, per run of the job that finds them: as many as a worker measures until the next run. */
  measuredAtOnce: 20,
  /** Overdue episodes per run of the recovery job. */
  recoveredAtOnce: 100,
} as const;

/** Chapters that players can show, and that fit into the head of a file. */
export const CHAPTER_LIMITS = { count: 200, titleLength: 200, urlLength: 2000 } as const;

/**
 * Audio from the addresses of other hosts. `atOnce`: downloads of all creators, `perCreator` of one and `perHost` of one
 * host; `open`: episodes of a creator that wait for their file, and `openUnverified` without a verified email address.
 * `withinMs`: how long one attempt may take, and `lease` its
 * job. `candidates`: waiting files that are looked at for the free places. For the other numbers, see RetryLimits.
 */
export const AUDIO_FETCH_LIMITS = {
  urlLength: 2000,
  atOnce: 6,
  perCreator: 2,
  perHost: 2,
  open: 20,
  openUnverified: 2,
  withinMs: MINUTES(10),
  lease: MINUTES(20),
  candidates: 500,
  attempts: 5,
  busyAttempts: 20,
  retryMs: SECONDS(30),
  longestWaitMs: HOURS(1),
  longest: HOURS(12),
} as const;

/** `products`, `episodes`: results of the search by name. `wordsLength`: length of the search text. */
export const SEARCH_LIMITS = { products: 5, episodes: 8, wordsLength: 100 } as const;

/** `month`: releases that a month of the calendar shows. `upcoming`: releases on the home page. */
export const CALENDAR_LIMITS = { month: 500, upcoming: 5 } as const;
