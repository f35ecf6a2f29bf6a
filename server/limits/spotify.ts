import { DAYS, HOURS, MINUTES, SECONDS } from '../base/time';

/**
 * `attempt`: for agreeing at Spotify. `completing`: after Spotify has accepted a link, until the person has completed it
 * there. `lease`: longer than a call with its token. `busy`: until the next attempt if another process has the lease.
 * `entitlements`: of one listener.
 */
export const SPOTIFY_LINK_LIMITS = {
  attempt: MINUTES(30),
  answerLength: 2000,
  completing: HOURS(1),
  completed: MINUTES(2),
  lease: MINUTES(1),
  busy: SECONDS(5),
  entitlements: 500,
  /** Pauses between two attempts while Spotify is away: the first one, doubled up to the last one. */
  firstPause: MINUTES(1),
  lastPause: HOURS(1),
  /** Failed calls in a row after which all jobs wait together, and one of them tries. */
  failures: 3,
} as const;

/** `listed`: shows of a creator on the page. `awaited` and `settled`: how often a status is asked for. */
export const SPOTIFY_SHOW_LIMITS = {
  listed: 200,
  awaited: MINUTES(15),
  settled: DAYS(1),
  checkedAtOnce: 50,
  syncedAtOnce: 200,
  withdrawnAtOnce: 100,
  /** The nightly comparison asks for this many listeners per second. */
  perSecond: 2,
  feedsAtOnce: 2,
  tokenBytes: 24,
} as const;
