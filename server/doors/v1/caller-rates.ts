import { LRUCache } from 'lru-cache';
import { wholeSeconds } from '../../base/time';
import { API_LIMITS } from '../../limits/api';

/** The calls of one caller in the current window. `requests`: all that it may make. `reset`: seconds until it ends. */
export type CallerRate = { requests: number; left: number; reset: number; isExceeded: boolean };
export type CallerRates = ReturnType<typeof createCallerRates>;

/**
 * Counts the calls of each key and app in this process. Counting them in the database would take as long as many calls
 * do; two web processes together allow twice as many.
 */
export function createCallerRates(requests: number) {
  const windows = new LRUCache<string, { endsAt: number; calls: number }>({ max: API_LIMITS.callers });
  return {
    count(caller: string, now: Date): CallerRate {
      const at = now.getTime();
      let window = windows.get(caller);
      if (!window || window.endsAt <= at) {
        window = { endsAt: at + API_LIMITS.window, calls: 0 };
        windows.set(caller, window);
      }
      window.calls += 1;
      const left = requests - window.calls;
      const reset = wholeSeconds(window.endsAt - at);
      return { requests, left: Math.max(0, left), reset, isExceeded: left < 0 };
    },
  };
}

/** The standard headers (draft-ietf-httpapi-ratelimit-headers); none for a caller who is not known. */
export function rateHeaders(rate: CallerRate | null): Record<string, string> {
  if (rate === null) return {};
  return {
    'ratelimit-policy': `"calls";q=${rate.requests};w=${wholeSeconds(API_LIMITS.window)}`,
    ratelimit: `"calls";r=${rate.left};t=${rate.reset}`,
  };
}
