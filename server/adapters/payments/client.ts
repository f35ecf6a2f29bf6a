import Stripe from 'stripe';
import { SECONDS } from '../../base/time';

export type ClientSettings = {
  /** `sk_…` or `rk_…`. */
  secretKey: string;
  /** Replaces the network; the sandbox uses it. */
  fetch?: typeof globalThis.fetch;
  timeout?: number;
  maxNetworkRetries?: number;
  /** A connected account, on which all calls act. */
  account?: string;
};

/** Some calls run while a page waits; jobs retry anyway. */
const TIMEOUT = SECONDS(20);
const RETRIES = 2;

/**
 * The client that production uses. It uses fetch because the SDK's default client ignores its own timeout when a test
 * intercepts its requests.
 */
export function stripeClient({ secretKey, fetch, timeout, maxNetworkRetries, account }: ClientSettings): Stripe {
  return new Stripe(secretKey, {
    httpClient: Stripe.createFetchHttpClient(fetch),
    maxNetworkRetries: maxNetworkRetries ?? RETRIES,
    timeout: timeout ?? TIMEOUT,
    ...(account !== undefined && { stripeAccount: account }),
    telemetry: false,
    appInfo: { name: 'Altavoz' },
  });
}
