import { DAYS, HOURS, MINUTES, SECONDS } from '../base/time';
import { KILOBYTES } from './sizes';

/**
 * `keys`: of one creator that work. `cached`, `cachedFor`: keys in the memory of a process; a revoked key stops within
 * that time even where changes are not announced. `notedEvery`: how often the use of a key is written. `listedFor`: how
 * long a key that has ended is listed. `answerLength`: longer answers are kept without
 * anything but their id. `runningFor`: when to ask again for the answer of a call that runs.
 */
export const DEVELOPER_LIMITS = {
  keys: 20,
  nameLength: 80,
  cached: 5000,
  cachedFor: SECONDS(1),
  notedEvery: MINUTES(1),
  listedFor: DAYS(90),
  listed: 100,
  answerKeptFor: DAYS(1),
  answerLength: 8 * KILOBYTES,
  runningFor: SECONDS(5),
  callsKeptFor: DAYS(7),
  callsKept: 10_000,
  callsListed: 50,
  /** Calls are written so much later; so many wait at most, and so many are in one statement. */
  callsPause: SECONDS(0.5),
  callsWaiting: 10_000,
  callsAtOnce: 500,
} as const;

/** The times during which a replaced key still works. */
export const KEY_OVERLAPS = { none: 0, hour: HOURS(1), day: DAYS(1), week: DAYS(7) } as const;

/** How long a new key may work, in days; null is without an end. */
export const KEY_LIVES = { month: 30, quarter: 90, year: 365, forever: null } as const;
