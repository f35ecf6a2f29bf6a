import type Stripe from 'stripe';
import { listRoute, type Route, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { PLATFORM } from '../engine/store';
import { refused, StripeFault } from '../wire/faults';
import { newId, randomText } from '../wire/ids';
import { listOf } from '../wire/objects';
import { anything, mergedMetadata, metadata, needed, one, text } from '../wire/shapes';

/** Accounts belong to the platform, whichever account the request is about. */
export async function findAccount(work: Work, id: string, param = 'account'): Promise<Stripe.Account> {
  const account = await work.on(PLATFORM).get('account', id);
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

/** The account that a link of `account_links` opens, and where the owner comes back to; null for any other link. */
export async function onboardingOf(
  work: Work,
  id: string,
  token: string,
): Promise<{ account: Stripe.Account; returnUrl: string } | null> {
  const platform = work.on(PLATFORM);
  const account = await platform.get('account', id);
  const link = account && platform.hidden(account).onboarding;
  if (!link || link.token !== token || link.expires <= work.now()) return null;
  return { account, returnUrl: link.returnUrl };
}

/** The person has filled in what was asked (the onboarding page). The link is used up. */
export function completeOnboarding(work: Work, account: Stripe.Account): void {
  account.details_submitted = true;
  account.charges_enabled = true;
  account.payouts_enabled = true;
  account.capabilities = { card_payments: 'active', transfers: 'active' };
  account.requirements = requirements([]);
  const platform = work.on(PLATFORM);
  platform.hidden(account).bank = `ba_${account.id.slice(5)}`;
  platform.hidden(account).onboarding = undefined;
  platform.changed(account);
}

function newAccount(
  work: Work,
  { email, country, metadata: said }: { email?: string; country?: string; metadata?: Record<string, string> },
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
    metadata: mergedMetadata({}, said),
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
      type: one('standard', 'express', 'custom'),
      country: text(2),
      email: text(),
      metadata: metadata(),
      controller: anything(),
      capabilities: anything(),
      business_type: text(),
      business_profile: anything(),
    },
    async (work, input) => newAccount(work, input),
  ),
  route('GET', '/v1/accounts/:id', {}, (work, _, { id = '' }) => findAccount(work, id)),
  route(
    'POST',
    '/v1/accounts/:id',
    { email: text(), metadata: metadata(), business_profile: anything() },
    async (work, input, { id = '' }) => {
      const account = await findAccount(work, id);
      if (input.email !== undefined) account.email = input.email;
      account.metadata = mergedMetadata(account.metadata ?? {}, input.metadata);
      return account;
    },
  ),
  listRoute('/v1/accounts', 'account', { filters: {} }),
  route(
    'POST',
    '/v1/account_links',
    {
      account: needed(text()),
      type: needed(one('account_onboarding', 'account_update')),
      return_url: needed(text()),
      refresh_url: needed(text()),
      collection_options: anything(),
    },
    async (work, input) => {
      const account = await findAccount(work, input.account);
      if (!/^https?:\/\//.test(input.return_url))
        throw refused('Not a valid URL', { code: 'url_invalid', param: 'return_url' });
      const token = randomText(24);
      const expires = work.now() + 300;
      work.on(PLATFORM).hidden(account).onboarding = { token, returnUrl: input.return_url, expires };
      return {
        object: 'account_link',
        created: work.now(),
        expires_at: expires,
        url: `${work.pages}/onboarding/${account.id}?token=${token}`,
      };
    },
  ),
];
