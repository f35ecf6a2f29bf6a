import type Stripe from 'stripe';
import { openOnce } from '../../flow/open-once';
import type { ClientSettings } from './client';
import { notSetUp } from './errors';

export type StripeSettings = ClientSettings & {
  /** `whsec_…`; several during rotation. */
  webhookSecrets: string[];
  /** `ca_…`: creators may connect accounts. `authorizeUrl` replaces Stripe's page. */
  connect?: { clientId: string; authorizeUrl?: string };
  /** Whether `sk_live_` keys are allowed. */
  production: boolean;
};

/** Calls the provider and maps its errors to ours. */
export type CallStripe = <T>(call: (stripe: Stripe) => Promise<T>) => Promise<T>;

/** Loads the SDK with the first call, because loading it would slow down every start. */
export function stripeCaller(settings: StripeSettings): CallStripe {
  if (/^(?:sk|rk)_live_/.test(settings.secretKey) && !settings.production) throw notSetUp();
  const client = openOnce(() => loadClient(settings));
  return async (call) => {
    const { stripe, toAppError } = await client.get();
    try {
      return await call(stripe);
    } catch (error) {
      throw toAppError(error);
    }
  };
}

async function loadClient(settings: StripeSettings) {
  const [{ stripeClient }, { toAppError }] = await Promise.all([import('./client'), import('./failures')]);
  return { stripe: stripeClient(settings), toAppError };
}
