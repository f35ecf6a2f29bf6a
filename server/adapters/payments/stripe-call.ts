import type Stripe from 'stripe';
import { notSetUp } from './errors';

export type StripeSettings = {
  /** `sk_…` or `rk_…`. */
  secretKey: string;
  /** `whsec_…`; more than one while they are rotated. */
  webhookSecrets: string[];
  /** Answers in place of the network: the sandbox. */
  fetch?: typeof globalThis.fetch;
  /** Whether `sk_live_` keys are welcome. */
  production: boolean;
  timeout?: number;
  maxNetworkRetries?: number;
};

/** Calls the provider, and says what failed in our words. */
export type Speak = <T>(call: (stripe: Stripe) => Promise<T>) => Promise<T>;

/** Over the SDK, which takes its time to load: that is done with the first call, not when the process starts. */
export function speaking(settings: StripeSettings): Speak {
  if (/^(?:sk|rk)_live_/.test(settings.secretKey) && !settings.production) throw notSetUp();
  let opened: ReturnType<typeof open> | undefined;
  return async (call) => {
    opened ??= open(settings);
    const { stripe, ourError } = await opened;
    try {
      return await call(stripe);
    } catch (error) {
      throw ourError(error);
    }
  };
}

async function open(settings: StripeSettings) {
  const [{ stripeClient }, { ourError }] = await Promise.all([import('./client'), import('./failures')]);
  return { stripe: stripeClient(settings), ourError };
}
