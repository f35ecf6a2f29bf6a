import { DAYS, HOURS, MINUTES } from '../base/time';

/**
 * `keptAfterDeletion`: somebody may still be listening to a rendition with the clip, which they keep for a day.
 * `overdue`: after which a lost conversion is enqueued again; `givenUp`: after which it fails.
 */
export const CLIP_LIMITS = {
  perCreator: 500,
  nameLength: 100,
  keptAfterDeletion: HOURS(48),
  overdue: MINUTES(40),
  givenUp: DAYS(1),
  recoveredAtOnce: 100,
  sweptAtOnce: 20,
} as const;

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

/**
 * `perShow`: campaigns of a show, ended ones included, but not deleted ones. `episodes`: chosen ones of a campaign.
 * `midRolls`: the numbers of mid-rolls. `silenceMs`: around a clip. `reach`: the past whose downloads say how many a
 * choice of countries reaches.
 */
export const CAMPAIGN_LIMITS = {
  perShow: 200,
  nameLength: 100,
  clips: 5,
  episodes: 1000,
  midRolls: 10,
  silenceMs: 3000,
  cap: 100_000_000,
  countries: 250,
  reach: DAYS(30),
} as const;
