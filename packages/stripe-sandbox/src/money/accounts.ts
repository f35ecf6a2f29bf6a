import type Stripe from 'stripe';
import { listRoute, partsRoute, type Route, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { PLATFORM } from '../engine/store';
import { invalidRequest, StripeFault } from '../wire/faults';
import { newId, randomText } from '../wire/ids';
import { listOf } from '../wire/objects';
import { httpUrl, mergeMetadata, metadata, oneOf, required, text } from '../wire/shapes';

/** Null if the account does not exist or its owner has ended the connection. */
export async function lookupConnected(work: Work, id: string): Promise<Stripe.Account | null> {
  const platform = work.forAccount(PLATFORM);
  const account = await platform.get('account', id);
  return account && !platform.hidden(account).isDisconnected ? account : null;
}

/** Accounts always belong to the platform, even in a connected account's request. */
export async function findAccount(work: Work, id: string, param = 'account'): Promise<Stripe.Account> {
  const account = await lookupConnected(work, id);
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

/** The redirect of an account link that has expired or was used. */
export async function findRefreshUrl(work: Work, id: string, token: string): Promise<string | null> {
  const platform = work.forAccount(PLATFORM);
  const account = await platform.get('account', id);
  const link = account && platform.hidden(account).onboarding;
  return link?.token === token ? link.refreshUrl : null;
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
  Object.assign(platform.hidden(account).onboarding ?? {}, { expires: work.now() });
  platform.emitUpdate(account);
}

/** The owner ends the connection: the platform can no longer act on the account. */
export function disconnectAccount(work: Work, account: Stripe.Account): void {
  work.forAccount(PLATFORM).hidden(account).isDisconnected = true;
  // Stripe's event contains the platform's application instead; only the event's account matters
  work.forAccount(PLATFORM).emit('account.application.deauthorized', account);
}

/** Money can only go to an account that has completed onboarding. */
export async function findDestination(work: Work, id: string, param: string): Promise<Stripe.Account> {
  const account = await findAccount(work, id, param);
  if (account.capabilities?.transfers === 'active') return account;
  throw invalidRequest(
    'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments',
    { code: 'insufficient_capabilities_for_transfer', param },
  );
}

/** Direct charges need an account that has completed onboarding. */
export async function assertChargesEnabled(work: Work): Promise<void> {
  if (work.account === PLATFORM) return;
  const account = await findAccount(work, work.account);
  if (!account.charges_enabled)
    throw invalidRequest('Your account cannot currently make charges: it has not completed onboarding.', {
      code: 'account_invalid',
    });
}

type NewAccount = {
  email?: string;
  country?: string;
  business_type?: Stripe.Account['business_type'];
  metadata?: Record<string, string>;
};

export function newAccount(work: Work, { email, country, business_type, metadata: initialMetadata }: NewAccount) {
  const id = newId('acct', 16);
  const account: Stripe.Account = {
    id,
    object: 'account',
    business_type: business_type ?? null,
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
      type: oneOf('standard'),
      country: text(2),
      email: text(),
      metadata: metadata(),
      business_type: oneOf('company', 'government_entity', 'individual', 'non_profit'),
    },
    async (work, input) => newAccount(work, input),
  ),
  route('GET', '/v1/accounts/:id', {}, (work, _, { id = '' }) => findAccount(work, id)),
  route('POST', '/v1/accounts/:id', { email: text(), metadata: metadata() }, async (work, input, { id = '' }) => {
    const account = await findAccount(work, id);
    if (input.email !== undefined) account.email = input.email;
    account.metadata = mergeMetadata(account.metadata ?? {}, input.metadata);
    return account;
  }),
  partsRoute('/v1/accounts/:id/external_accounts', {
    find: async (work, _, { id = '' }) => (await findAccount(work, id)).external_accounts?.data ?? [],
  }),
  listRoute('/v1/accounts', 'account', { filters: {} }),
  route(
    'POST',
    '/v1/account_links',
    {
      account: required(text()),
      type: required(oneOf('account_onboarding')),
      return_url: required(httpUrl()),
      refresh_url: required(httpUrl()),
    },
    async (work, input) => {
      const account = await findAccount(work, input.account);
      const token = randomText(24);
      const expires = work.now() + 300;
      const urls = { returnUrl: input.return_url, refreshUrl: input.refresh_url };
      work.forAccount(PLATFORM).hidden(account).onboarding = { token, ...urls, expires };
      return {
        object: 'account_link',
        created: work.now(),
        expires_at: expires,
        url: `${work.pages}/onboarding/${account.id}?token=${token}`,
      };
    },
  ),
];
