import type Stripe from 'stripe';
import { toDate } from './convert';
import type { Account } from './objects';
import type { PaymentsPort } from './port';
import type { Speak } from './stripe-call';

export function readAccount(account: Stripe.Account): Account {
  return {
    id: account.id,
    email: account.email,
    country: account.country ?? null,
    chargesEnabled: account.charges_enabled,
    payoutsEnabled: account.payouts_enabled,
    detailsSubmitted: account.details_submitted,
    missing: account.requirements?.currently_due ?? [],
  };
}

type Verbs = Pick<PaymentsPort, 'createAccount' | 'startAccountSetup'>;

export function accountVerbs(speak: Speak): Verbs {
  return {
    createAccount: ({ email, country, reference }, idempotencyKey) =>
      speak(async (stripe) => {
        const said = { type: 'standard' as const, email, country, metadata: reference };
        return readAccount(await stripe.accounts.create(said, { idempotencyKey }));
      }),
    startAccountSetup: (account, { returnUrl, refreshUrl }, idempotencyKey) =>
      speak(async (stripe) => {
        const said = { account, type: 'account_onboarding' as const, return_url: returnUrl, refresh_url: refreshUrl };
        const { url, expires_at } = await stripe.accountLinks.create(said, { idempotencyKey });
        return { url, expiresAt: toDate(expires_at) };
      }),
  };
}
