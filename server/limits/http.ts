import { HOURS, MINUTES } from '../time';

const MEGABYTES = 1_000_000;

export const CACHE_LIMITS = { pageCeiling: MINUTES(1), bytes: 64 * MEGABYTES } as const;

/** Requests (`points`) per client in `duration`. */
export const RATE_LIMITS = {
  signIn: { points: 10, duration: MINUTES(10) },
  /** Log-in attempts for one account, from all addresses together. */
  signInAccount: { points: 20, duration: MINUTES(10) },
  register: { points: 20, duration: HOURS(1) },
  publicWrite: { points: 120, duration: MINUTES(1) },
} as const;
