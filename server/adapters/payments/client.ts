import Stripe from 'stripe';
import { SECONDS } from '../../time';
import type { StripeSettings } from './stripe-call';

/** A page waits for some of these calls; a job comes back by itself. */
const TIMEOUT = SECONDS(20);
const RETRIES = 2;

/**
 * The client as production has it. It speaks over fetch: the SDK's default client is not stopped by its own timeout
 * where a test stands in between.
 */
export function stripeClient({ secretKey, fetch, timeout, maxNetworkRetries }: StripeSettings): Stripe {
  return new Stripe(secretKey, {
    httpClient: Stripe.createFetchHttpClient(fetch),
    maxNetworkRetries: maxNetworkRetries ?? RETRIES,
    timeout: timeout ?? TIMEOUT,
    telemetry: false,
    appInfo: { name: 'Altavoz' },
  });
}
