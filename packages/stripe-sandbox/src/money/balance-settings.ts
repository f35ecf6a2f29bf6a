import type Stripe from 'stripe';
import { type Route, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { PLATFORM } from '../engine/store';
import { DAY } from '../engine/time';
import type { StoredSettings } from '../wire/objects';
import { group, oneOf } from '../wire/shapes';
import { availableBalance } from './balance';
import { newPayout } from './payouts';

const ID = 'balance_settings';

/** The settings of the work's account. Payouts are manual until its onboarding is complete. */
export async function findSettings(work: Work): Promise<StoredSettings> {
  return shown(work, (await work.get(ID, ID)) ?? defaultSettings(work));
}

/** With the present time of settlement, which the owner of an account cannot choose. */
function shown({ context }: Work, settings: StoredSettings): StoredSettings {
  const settlement_timing = { ...settings.payments.settlement_timing, delay_days: context.timing.settlementDays };
  return { ...settings, payments: { ...settings.payments, settlement_timing } };
}

function defaultSettings(work: Work): StoredSettings {
  return {
    id: ID,
    object: ID,
    payments: {
      debit_negative_balances: true,
      payouts: {
        automatic_transfer_rules_by_currency: null,
        minimum_balance_by_currency: null,
        schedule: { interval: 'manual' },
        statement_descriptor: null,
        status: work.account === PLATFORM ? 'enabled' : 'disabled',
      },
      settlement_timing: { delay_days: work.context.timing.settlementDays, start_of_day: null },
    },
  };
}

/** Onboarding enables payouts, every day unless the account has chosen otherwise. */
export async function enablePayouts(work: Work): Promise<void> {
  const stored = await work.get(ID, ID);
  const settings = stored ?? work.add(defaultSettings(work));
  settings.payments.payouts!.status = 'enabled';
  if (!stored) setSchedule(work, settings, 'daily');
}

function setSchedule(work: Work, settings: StoredSettings, interval: 'daily' | 'manual'): void {
  settings.payments.payouts!.schedule = { interval };
  work.hidden(settings).nextPayout = nextMidnight(work.now());
}

const nextMidnight = (now: number) => (Math.floor(now / DAY) + 1) * DAY;

/** Pays out the available balance in each currency, and records which transactions a payout contains. */
export async function payOut(work: Work, settings: StoredSettings): Promise<void> {
  for (const { currency } of await work.balanceSums()) {
    const amount = await availableBalance(work, currency);
    if (amount <= 0) continue;
    const payout = newPayout(work, { amount, currency, automatic: true });
    const unpaid = await work.list('balance_transaction', { fields: { currency }, unpaid: true }, { limit: MAX_PARTS });
    for (const transaction of unpaid)
      if (transaction.available_on <= work.now()) work.hidden(transaction).payout = payout.id;
    work.emit('payout.created', payout);
  }
  work.hidden(settings).nextPayout = nextMidnight(work.now());
}

const MAX_PARTS = 10_000;

const withoutId = ({ id: _, ...settings }: StoredSettings): Stripe.BalanceSettings => settings;

export const balanceSettingsRoutes: Route[] = [
  route('GET', '/v1/balance_settings', {}, async (work) => withoutId(await findSettings(work))),
  route(
    'POST',
    '/v1/balance_settings',
    { payments: group({ payouts: group({ schedule: group({ interval: oneOf('daily', 'manual') }) }) }) },
    async (work, { payments }) => {
      const settings = (await work.get(ID, ID)) ?? work.add(defaultSettings(work));
      const interval = payments?.payouts?.schedule?.interval;
      if (interval) setSchedule(work, settings, interval);
      return withoutId(shown(work, settings));
    },
  ),
];
