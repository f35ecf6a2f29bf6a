import type Stripe from 'stripe';
import { toDate } from './convert';
import type { Account } from './objects';
import type { PaymentsPort } from './port';
import type { CallStripe } from './stripe-call';

export function toAccount(account: Stripe.Account): Account {
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

type Operations = Pick<PaymentsPort, 'createAccount' | 'startAccountSetup'>;

export function accountOperations(callStripe: CallStripe): Operations {
  return {
    createAccount: ({ email, country, reference }, idempotencyKey) =>
      callStripe(async (stripe) => {
        const params = { type: 'standard' as const, email, country, metadata: reference };
        return toAccount(await stripe.accounts.create(params, { idempotencyKey }));
      }),
    startAccountSetup: (account, { returnUrl, refreshUrl }, idempotencyKey) =>
      callStripe(async (stripe) => {
        const params = { account, type: 'account_onboarding' as const, return_url: returnUrl, refresh_url: refreshUrl };
        const { url, expires_at } = await stripe.accountLinks.create(params, { idempotencyKey });
        return { url, expiresAt: toDate(expires_at) };
      }),
  };
}
