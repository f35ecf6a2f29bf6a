import { type FaultBody, invalidRequest, StripeFault } from '../wire/faults';
import type { ApiCall } from './idempotency';

/** What Stripe does to protect itself from many calls. All of it is off until a test switches it on. */
export type Limits = {
  /** Calls that are answered within one second, all accounts together; null: without a limit. Stripe: 25 in test mode. */
  perSecond: number | null;
  /** How many of the next changes of an existing object find it locked by another call. */
  locks: number;
  /** A second call with the key of a running one is rejected, instead of waiting for its answer. */
  rejectsKeysInUse: boolean;
  /** A key also repeats a call that failed because of an object's state. */
  repeatsFailures: boolean;
};
export const NO_LIMITS: Limits = { perSecond: null, locks: 0, rejectsKeysInUse: false, repeatsFailures: false };

export type Limiter = { limits: Limits; admit(): void; lock(call: ApiCall): void };

const WINDOW_MS = 1000;

/** The limits of this process. @param clock in milliseconds: real time, because the sandbox's own clock may stand still */
export function createLimiter(clock: () => number = () => performance.now()): Limiter {
  const limits = { ...NO_LIMITS };
  let answered: number[] = [];
  return {
    limits,
    admit() {
      if (limits.perSecond === null) return;
      const now = clock();
      answered = answered.filter((at) => at > now - WINDOW_MS);
      if (answered.length >= limits.perSecond) throw rateLimited();
      answered.push(now);
    },
    lock({ route, pathParams }) {
      const isChange = route.method !== 'GET' && Object.keys(pathParams).length > 0;
      if (!isChange || limits.locks === 0) return;
      limits.locks -= 1;
      throw lockTimeout();
    },
  };
}

const rateLimited = () =>
  invalidRequest(
    'Request rate limit exceeded. You can learn more about rate limits here https://stripe.com/docs/rate-limits.',
    { code: 'rate_limit', status: 429 },
  );

const lockTimeout = () =>
  invalidRequest(
    'This object cannot be accessed right now because another API request or Stripe process is currently accessing it.',
    { code: 'lock_timeout', status: 429 },
  );

export const keyInUse = (key: string) =>
  new StripeFault(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
    doc_url: 'https://docs.stripe.com/error-codes/idempotency-key-in-use',
  });

/** Stripe's headers of an error: its SDKs repeat a call to a locked object, but not one that is rate limited. */
export function limitHeaders({ code }: FaultBody): Record<string, string> {
  if (code === 'rate_limit') return { 'stripe-rate-limited-reason': 'global-rate' };
  return code === 'lock_timeout' ? { 'stripe-should-retry': 'true' } : {};
}
