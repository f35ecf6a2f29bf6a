import type Stripe from 'stripe';
import { type Route, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { readSetting, writeSetting } from '../engine/settings';
import { PLATFORM, type Sql } from '../engine/store';
import { invalidRequest } from '../wire/faults';
import { findAccount } from './accounts';
import { findSettings } from './balance-settings';

/**
 * What an owner sets in the Dashboard, which the API only reads. `statementPrefix`: by default, the name of the
 * business. `isTaxActive`: Stripe Tax has all that it needs.
 */
export type OwnAccount = {
  chargesEnabled: boolean;
  payoutsEnabled: boolean;
  statementPrefix: string | null;
  isTaxActive: boolean;
};

const DEFAULTS = { chargesEnabled: true, payoutsEnabled: true, isTaxActive: false };
/** The longest prefix on card statements ("Statement descriptors"). */
const LONGEST_PREFIX = 10;

const ID = 'acct_sandbox';

/** Replaces the Dashboard. It applies to all processes. */
export async function setOwnAccount(sql: Sql, change: Partial<OwnAccount>): Promise<void> {
  const { statementPrefix: prefix } = change;
  if (prefix && (prefix.length > LONGEST_PREFIX || !/[A-Za-z]/.test(prefix)))
    throw invalidRequest(`Invalid prefix: 2 to ${LONGEST_PREFIX} characters, with a letter`, {
      param: 'statementPrefix',
    });
  await writeSetting(sql, 'own_account', {
    ...(await readSetting<Partial<OwnAccount>>(sql, 'own_account', {})),
    ...change,
  });
}

function readOwnAccount({ sql, context }: Work): Promise<OwnAccount> {
  const statementPrefix = context.business.toUpperCase().slice(0, LONGEST_PREFIX).trim();
  return readSetting(sql, 'own_account', { ...DEFAULTS, statementPrefix });
}

async function ownAccount(work: Work): Promise<Stripe.Account> {
  const { chargesEnabled, payoutsEnabled, statementPrefix } = await readOwnAccount(work);
  return {
    id: ID,
    object: 'account',
    business_type: null,
    capabilities: { card_payments: chargesEnabled ? 'active' : 'inactive', transfers: 'active' },
    charges_enabled: chargesEnabled,
    country: 'ES',
    default_currency: 'eur',
    details_submitted: true,
    email: null,
    payouts_enabled: payoutsEnabled,
    settings: await settingsOf(work, statementPrefix),
    type: 'standard',
  };
}

async function settingsOf(work: Work, prefix: string | null): Promise<Stripe.Account.Settings> {
  const { payments } = await findSettings(work);
  const { business } = work.context;
  const japanese = { statement_descriptor_prefix_kana: null, statement_descriptor_prefix_kanji: null };
  return {
    branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
    card_payments: { statement_descriptor_prefix: prefix, ...japanese },
    dashboard: { display_name: business, timezone: 'Etc/UTC' },
    payments: {
      statement_descriptor: business.toUpperCase(),
      statement_descriptor_kana: null,
      statement_descriptor_kanji: null,
      ...japanese,
    },
    payouts: {
      debit_negative_balances: true,
      schedule: {
        delay_days: payments.settlement_timing.delay_days,
        interval: payments.payouts?.schedule?.interval ?? 'manual',
      },
      statement_descriptor: null,
    },
  };
}

async function taxSettings(work: Work): Promise<Stripe.Tax.Settings> {
  const { isTaxActive } = await readOwnAccount(work);
  return {
    object: 'tax.settings',
    defaults: { provider: 'stripe', tax_behavior: null, tax_code: null },
    head_office: null,
    livemode: false,
    status: isTaxActive ? 'active' : 'pending',
    status_details: isTaxActive ? { active: {} } : { pending: { missing_fields: ['head_office'] } },
  };
}

export const ownAccountRoutes: Route[] = [
  route('GET', '/v1/account', {}, (work) =>
    work.account === PLATFORM ? ownAccount(work) : findAccount(work, work.account),
  ),
  route('GET', '/v1/tax/settings', {}, (work) => taxSettings(work)),
];
