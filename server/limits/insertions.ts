import { DAYS } from '../base/time';

export const PROMO_LIMITS = { maxSeconds: 30 } as const;

/**
 * `window`: how long a listener keeps a rendition, from the first request. `id`: hexadecimal digits of a hash. `indexBytes`
 * and `builtBytes`: of frame indexes and tags in a process. `held`: listeners whose choice a process remembers. `swept`:
 * old downloads of one transaction. `episodes`: whose lengths one job writes.
 */
export const RENDITION_LIMITS = {
  window: DAYS(1),
  unusedFor: DAYS(7),
  id: 32,
  indexBytes: 96 * 1024 * 1024,
  builtBytes: 64 * 1024 * 1024,
  held: 20_000,
  swept: 1000,
  episodes: 50,
} as const;
