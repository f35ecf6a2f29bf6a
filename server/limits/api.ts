import { MINUTES } from '../base/time';

/**
 * `versions`: the dates of the API's versions, the newest last. `requests`: of one key or app in each `window`, counted
 * by each web process. `pageSize`: items of a list.
 */
export const API_LIMITS = {
  versions: ['2026-11-29'],
  requests: 600,
  window: MINUTES(1),
  callers: 10_000,
  pageSize: { usual: 20, most: 100 },
  lastPage: 100_000,
  fields: 50,
  idempotencyKeyLength: 255,
} as const;
