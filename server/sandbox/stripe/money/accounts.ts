import type Stripe from 'stripe';
import { listRoute, type Route, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { PLATFORM } from '../engine/store';
import { invalidRequest, StripeFault } from '../wire/faults';
import { newId, randomText } from '../wire/ids';
import { listOf } from '../wire/objects';
import { anyValue, mergeMetadata, metadata, oneOf, required, text } from '../wire/shapes';

/** Accounts always belong to the platform, even in a connected account's request. */
export async function findAccount(work: Work, id: string, param = 'account'): Promise<Stripe.Account> {
  const account = await work.forAccount(PLATFORM).get('account', id);
  if (account) return account;
  throw new StripeFault(400, {
    type: 'invalid_request_error',
    code: 'account_invalid',
    message: `No such account: '${id}'`,
    param,
  });
}

const MISSING = ['external_account', 'tos_acceptance.date', 'tos_acceptance.ip'];

function requirements(missing: string[]): Stripe.Account.Requirements {
  return {
    alternatives: [],
    current_deadline: null,
    currently_due: missing,
    disabled_reason: missing.length > 0 ? 'requirements.past_due' : null,
    errors: [],
    eventually_due: missing,
    past_due: missing,
    pending_verification: [],
  };
}

/** The account and return URL of an account link; null if the token is wrong or has expired. */
export async function findOnboarding(
  work: Work,
  id: string,
  token: string,
): Promise<{ account: Stripe.Account; returnUrl: string } | null> {
  const platform = work.forAccount(PLATFORM);
  const account = await platform.get('account', id);
  const link = account && platform.hidden(account).onboarding;
  if (!link || link.token !== token || link.expires <= work.now()) return null;
  return { account, returnUrl: link.returnUrl };
}

/** Completes an account's details (the onboarding page) and invalidates the link. */
export function completeOnboarding(work: Work, account: Stripe.Account): void {
  account.details_submitted = true;
  account.charges_enabled = true;
  account.payouts_enabled = true;
  account.capabilities = { card_payments: 'active', transfers: 'active' };
  account.requirements = requirements([]);
  const platform = work.forAccount(PLATFORM);
  platform.hidden(account).bank = `ba_${account.id.slice(5)}`;
  platform.hidden(account).onboarding = undefined;
  platform.emitUpdate(account);
}

function newAccount(
  work: Work,
  {
    email,
    country,
    metadata: initialMetadata,
  }: { email?: string; country?: string; metadata?: Record<string, string> },
) {
  const id = newId('acct', 16);
  const account: Stripe.Account = {
    id,
    object: 'account',
    business_type: null,
    capabilities: { card_payments: 'inactive', transfers: 'inactive' },
    charges_enabled: false,
    country: country ?? 'ES',
    created: work.now(),
    default_currency: country === 'US' ? 'usd' : 'eur',
    details_submitted: false,
    email: email ?? null,
    external_accounts: listOf(`/v1/accounts/${id}/external_accounts`, []),
    metadata: mergeMetadata({}, initialMetadata),
    payouts_enabled: false,
    requirements: requirements(MISSING),
    type: 'standard',
  };
  return work.add(account);
}

export const accountRoutes: Route[] = [
  route(
    'POST',
    '/v1/accounts',
    {
      type: oneOf('standard', 'express', 'custom'),
      country: text(2),
      email: text(),
      metadata: metadata(),
      controller: anyValue(),
      capabilities: anyValue(),
      business_type: text(),
      business_profile: anyValue(),
    },
    async (work, input) => newAccount(work, input),
  ),
  route('GET', '/v1/accounts/:id', {}, (work, _, { id = '' }) => findAccount(work, id)),
  route(
    'POST',
    '/v1/accounts/:id',
    { email: text(), metadata: metadata(), business_profile: anyValue() },
    async (work, input, { id = '' }) => {
      const account = await findAccount(work, id);
      if (input.email !== undefined) account.email = input.email;
      account.metadata = mergeMetadata(account.metadata ?? {}, input.metadata);
      return account;
    },
  ),
  listRoute('/v1/accounts', 'account', { filters: {} }),
  route(
    'POST',
    '/v1/account_links',
    {
      account: required(text()),
      type: required(oneOf('account_onboarding', 'account_update')),
      return_url: required(text()),
      refresh_url: required(text()),
      collection_options: anyValue(),
    },
    async (work, input) => {
      const account = await findAccount(work, input.account);
      if (!/^https?:\/\//.test(input.return_url))
        throw invalidRequest('Not a valid URL', { code: 'url_invalid', param: 'return_url' });
      const token = randomText(24);
      const expires = work.now() + 300;
      work.forAccount(PLATFORM).hidden(account).onboarding = { token, returnUrl: input.return_url, expires };
      return {
        object: 'account_link',
        created: work.now(),
        expires_at: expires,
        url: `${work.pages}/onboarding/${account.id}?token=${token}`,
      };
    },
  ),
];
