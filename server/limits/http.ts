import { HOURS, MINUTES, SECONDS } from '../time';
import { MEGABYTES } from './sizes';

export const CACHE_LIMITS = { pageCeiling: MINUTES(1), bytes: 64 * MEGABYTES } as const;

/** Of request bodies other than uploads: `page` for the forms of pages, `call` for tRPC and REST, in bytes. */
export const BODY_LIMITS = { page: 256 * 1024, call: 200_000, arrival: SECONDS(30) } as const;

/** Of tRPC: calls in one HTTP request. */
export const CALL_LIMITS = { batch: 10 } as const;

/** Requests (`points`) per client in `duration`. */
export const RATE_LIMITS = {
  logIn: { points: 10, duration: MINUTES(10) },
  /** Login attempts for one account, from all addresses together. */
  logInAccount: { points: 20, duration: MINUTES(10) },
  verifyEmail: { points: 60, duration: MINUTES(10) },
  signUp: { points: 20, duration: HOURS(1) },
  publicWrite: { points: 120, duration: MINUTES(1) },
} as const;
