import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import type { Sums } from '../engine/queries';
import { DAY } from '../engine/time';
import { newId } from '../wire/ids';
import { BLANK } from '../wire/null-fields';
import { text } from '../wire/shapes';
import { roundCents } from './proportions';

/** Card payments rest for so long before they can be paid out. */
const PENDING = 7 * DAY;

/** What this sandbox takes for a card payment: 2.9 % and 30 cents. Stripe's own fees depend on country and contract. */
export const processingFee = (amount: number): number => Math.min(amount, roundCents(amount * 0.029) + 30);
export const DISPUTE_FEE = 1500;

export type Booking = {
  type: Stripe.BalanceTransaction.Type;
  amount: number;
  currency: string;
  source: string;
  description?: string | null;
  fees?: { amount: number; type: 'stripe_fee' | 'application_fee'; description: string }[];
  /** Can be paid out at once. */
  atOnce?: boolean;
};

const CATEGORIES: Record<string, string> = {
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  payment_refund: 'refund',
  adjustment: 'dispute',
  transfer: 'transfer',
  transfer_refund: 'transfer_reversal',
  application_fee: 'platform_earning',
  application_fee_refund: 'platform_earning_refund',
  payout: 'payout',
};

/** Books a movement on the account that the work looks at. */
export function book(work: Work, { type, amount, currency, source, description, fees = [], atOnce }: Booking) {
  const fee = fees.reduce((all, part) => all + part.amount, 0);
  const available = atOnce || amount <= 0 ? work.now() : work.now() + PENDING;
  const transaction: Stripe.BalanceTransaction = {
    ...BLANK.balanceTransaction,
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: available,
    balance_type: 'payments',
    created: work.now(),
    currency,
    description: description ?? null,
    fee,
    fee_details: fees.map((part) => ({ ...part, application: null, currency })),
    net: amount - fee,
    reporting_category: CATEGORIES[type] ?? type,
    source,
    status: available <= work.now() ? 'available' : 'pending',
    type,
  };
  return work.add(transaction);
}

/** What an account has, per currency. Kept as the sum of its movements, so that the two can't disagree. */
function balanceOf(sums: Sums[]): Stripe.Balance {
  const part = (pick: (sum: Sums) => string) =>
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

const balanceNow = async (work: Work): Promise<Stripe.Balance> => balanceOf(await work.sums());

/** What may be paid out or passed on now. */
export async function availableNow(work: Work, currency: string): Promise<number> {
  const { available } = await balanceNow(work);
  return available.find((part) => part.currency === currency)?.amount ?? 0;
}

const settled = (work: Work, transaction: Stripe.BalanceTransaction) => ({
  ...transaction,
  status: transaction.available_on <= work.now() ? 'available' : 'pending',
});

const list = listRoute('/v1/balance_transactions', 'balance_transaction', {
  filters: { type: text(), currency: text(), source: text(), payout: text() },
  criteria: ({ type, currency, source }) => ({
    parent: source,
    fields: { ...(type && { type }), ...(currency && { currency }) },
  }),
});

export const balanceRoutes: Route[] = [
  route('GET', '/v1/balance', {}, (work) => balanceNow(work)),
  {
    ...list,
    async run(work, params, path) {
      const page = (await list.run(work, params, path)) as Stripe.ApiList<Stripe.BalanceTransaction>;
      return { ...page, data: page.data.map((transaction) => settled(work, transaction)) };
    },
  },
  {
    ...retrieveRoute('/v1/balance_transactions', 'balance_transaction'),
    run: async (work, _, { id = '' }) => settled(work, await work.find('balance_transaction', id)),
  },
];
