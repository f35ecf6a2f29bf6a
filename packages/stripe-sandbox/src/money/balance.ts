import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import type { BalanceSums } from '../engine/queries';
import { PLATFORM } from '../engine/store';
import { DAY } from '../engine/time';
import { invalidRequest } from '../wire/faults';
import { newId } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { text } from '../wire/shapes';
import { roundCents } from './proportions';

/** When a card payment that is captured now can be paid out. */
export const availableAfterNow = (work: Work): number => work.now() + work.context.timing.settlementDays * DAY;

/** The sandbox's fee for a card payment: 2.9 % and 30 cents. Stripe's fees depend on country and contract. */
export const processingFee = (amount: number): number => Math.min(amount, roundCents(amount * 0.029) + 30);

export type NewTransaction = {
  type: Stripe.BalanceTransaction.Type;
  amount: number;
  currency: string;
  source: string;
  description?: string | null;
  fees?: { amount: number; type: 'stripe_fee' | 'application_fee'; description: string }[];
  /** When it can be paid out, in seconds; by default, income stays pending. */
  availableOn?: number;
  /** Distinguishes kinds of adjustments ("Reporting categories"). */
  category?: 'dispute' | 'dispute_reversal' | 'fee';
};

const CATEGORIES: Record<string, string> = {
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  payment_refund: 'refund',
  transfer: 'transfer',
  transfer_refund: 'transfer_reversal',
  application_fee: 'platform_earning',
  application_fee_refund: 'platform_earning_refund',
  payout: 'payout',
};

/** Books a balance transaction on the work's account, in the currency in which it settles. */
export function bookTransaction(work: Work, booked: NewTransaction) {
  const { type, amount, currency, source, description, fees, availableOn, category, rate } = settled(work, booked);
  const fee = fees.reduce((all, part) => all + part.amount, 0);
  const available = availableOn ?? (amount <= 0 ? work.now() : availableAfterNow(work));
  const transaction: Stripe.BalanceTransaction = {
    ...NULL_FIELDS.balanceTransaction,
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: available,
    balance_type: 'payments',
    created: work.now(),
    currency,
    description: description ?? null,
    exchange_rate: rate,
    fee,
    fee_details: fees.map((part) => ({ ...part, application: null, currency })),
    net: amount - fee,
    reporting_category: category ?? CATEGORIES[type] ?? type,
    source,
    status: available <= work.now() ? 'available' : 'pending',
    type,
  };
  return work.add(transaction);
}

/** A connected account has bank accounts in all currencies. */
function settled(work: Work, { fees = [], ...booked }: NewTransaction) {
  const conversion = work.account === PLATFORM ? work.context.conversions.get(booked.currency) : undefined;
  if (!conversion) return { ...booked, fees, rate: null };
  const { to: currency, rate } = conversion;
  const convert = (amount: number) => Math.sign(amount) * roundCents(Math.abs(amount) * rate);
  return {
    ...{ ...booked, currency, rate, amount: convert(booked.amount) },
    fees: fees.map((part) => ({ ...part, amount: convert(part.amount) })),
  };
}

/** An account's balance per currency. It is computed from its transactions, so that the two cannot disagree. */
function balanceOf(sums: BalanceSums[]): Stripe.Balance {
  const part = (pick: (sum: BalanceSums) => string) =>
    sums.map((sum) => ({
      amount: Number(pick(sum)),
      currency: sum.currency,
      source_types: { card: Number(pick(sum)) },
    }));
  const empty = [{ amount: 0, currency: 'eur', source_types: { card: 0 } }];
  const available = part(({ available }) => available);
  const pending = part(({ pending }) => pending);
  return {
    object: 'balance',
    available: available.length > 0 ? available : empty,
    livemode: false,
    pending: pending.length > 0 ? pending : empty,
  };
}

const balanceNow = async (work: Work): Promise<Stripe.Balance> => balanceOf(await work.balanceSums());

/** The amount that can be paid out or transferred now. */
export async function availableBalance(work: Work, currency: string): Promise<number> {
  const { available } = await balanceNow(work);
  return available.find((part) => part.currency === currency)?.amount ?? 0;
}

const withCurrentStatus = (work: Work, transaction: Stripe.BalanceTransaction) => ({
  ...transaction,
  status: transaction.available_on <= work.now() ? 'available' : 'pending',
});

async function assertAutomatic(work: Work, id: string): Promise<void> {
  const { automatic } = await work.find('payout', id, 'payout');
  if (automatic) return;
  throw invalidRequest('Balance transaction history can only be filtered on automatic transfers, not manual.', {
    param: 'payout',
  });
}

const list = listRoute('/v1/balance_transactions', 'balance_transaction', {
  filters: { type: text(), currency: text(), source: text(), payout: text() },
  criteria: ({ type, currency, source, payout }) => ({
    parent: source,
    payout,
    fields: { ...(type && { type }), ...(currency && { currency }) },
  }),
});

export const balanceRoutes: Route[] = [
  route('GET', '/v1/balance', {}, (work) => balanceNow(work)),
  {
    ...list,
    async run(work, params, path) {
      if (typeof params.payout === 'string') await assertAutomatic(work, params.payout);
      const page = (await list.run(work, params, path)) as Stripe.ApiList<Stripe.BalanceTransaction>;
      return { ...page, data: page.data.map((transaction) => withCurrentStatus(work, transaction)) };
    },
  },
  {
    ...retrieveRoute('/v1/balance_transactions', 'balance_transaction'),
    run: async (work, _, { id = '' }) => withCurrentStatus(work, await work.find('balance_transaction', id)),
  },
];
