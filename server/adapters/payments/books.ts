import type Stripe from 'stripe';
import type { ApplicationFee, Balance, BookEntry, BookOperations, BookPage, Payout, Transfer } from './book-port';
import { withReason } from './conflict-reasons';
import { idOf, toDate, toMoney, toSeconds } from './convert';
import { paymentsConflict } from './errors';
import { fetchPayment } from './payments';
import type { CallStripe } from './stripe-call';

/** Stripe's longest page. */
const MAX_PAGE = 100;

/** Stripe's "reporting categories": the kind of a balance transaction, whatever its type. All others are `other`. */
const KINDS: Record<string, BookEntry['kind']> = {
  charge: 'charge',
  refund: 'refund',
  refund_failure: 'refund_failure',
  dispute: 'dispute',
  dispute_reversal: 'dispute_reversal',
  transfer: 'transfer',
  transfer_reversal: 'transfer_reversal',
  platform_earning: 'application_fee',
  platform_earning_refund: 'application_fee_refund',
  payout: 'payout',
  payout_reversal: 'payout_reversal',
  fee: 'provider_fee',
};

type Source = { object: string; id: string; amount?: number; currency?: string } & Partial<
  Pick<Stripe.Charge, 'payment_intent'> & Record<'charge' | 'fee' | 'transfer', string | { id: string }>
>;

export function toBookEntry(transaction: Stripe.BalanceTransaction): BookEntry {
  const { amount, fee, net, currency, reporting_category } = transaction;
  const source = typeof transaction.source === 'object' ? (transaction.source as Source | null) : null;
  return {
    id: transaction.id,
    kind: KINDS[reporting_category] ?? 'other',
    amount: toMoney(amount, currency),
    fee: toMoney(fee, currency),
    net: toMoney(net, currency),
    original: originalOf(transaction, source),
    source: idOf(transaction.source),
    payment: idOf(source?.payment_intent),
    ...feeOf(source),
    transfer: source?.object === 'transfer' ? source.id : idOf(isReversal(source) ? source.transfer : null),
    at: toDate(transaction.created),
    availableAt: toDate(transaction.available_on),
  };
}

const isReversal = (source: Source | null): source is Source => source?.object === 'transfer_reversal';

/** A converted amount may differ by a cent from the rate. */
const ROUNDING = 1;

/** Stripe converts a payment in a currency in which the account has no bank account. */
function originalOf({ amount, exchange_rate: rate }: Stripe.BalanceTransaction, source: Source | null) {
  if (rate === null || source?.amount === undefined || source.currency === undefined) return null;
  const isFitting = Math.abs(source.amount * rate - Math.abs(amount)) <= ROUNDING;
  return isFitting ? toMoney(Math.sign(amount) * source.amount, source.currency) : null;
}

function feeOf(source: Source | null): Pick<BookEntry, 'feeId' | 'charge'> {
  if (source?.object === 'application_fee') return { feeId: source.id, charge: idOf(source.charge) };
  return { feeId: source?.object === 'fee_refund' ? idOf(source.fee) : null, charge: null };
}

const PAYOUT_STATUSES: Record<string, Payout['status']> = {
  pending: 'pending',
  in_transit: 'in_transit',
  paid: 'paid',
  canceled: 'canceled',
  failed: 'failed',
};

export const toPayout = (payout: Stripe.Payout): Payout => ({
  id: payout.id,
  amount: toMoney(payout.amount, payout.currency),
  status: PAYOUT_STATUSES[payout.status] ?? 'pending',
  automatic: payout.automatic,
  failure: payout.failure_code,
  arrivesAt: toDate(payout.arrival_date),
  createdAt: toDate(payout.created),
});

const toTransfer = (transfer: Stripe.Transfer): Transfer => ({
  id: transfer.id,
  amount: toMoney(transfer.amount, transfer.currency),
  reversed: toMoney(transfer.amount_reversed, transfer.currency),
  account: idOf(transfer.destination),
  charge: idOf(transfer.source_transaction),
  createdAt: toDate(transfer.created),
});

const toApplicationFee = (fee: Stripe.ApplicationFee): ApplicationFee => ({
  id: fee.id,
  amount: toMoney(fee.amount, fee.currency),
  refunded: toMoney(fee.amount_refunded, fee.currency),
  account: idOf(fee.account) ?? '',
  charge: idOf(fee.originating_transaction) ?? idOf(fee.charge) ?? '',
  createdAt: toDate(fee.created),
});

const cursorOf = ({ after, since, limit }: BookPage) => ({
  starting_after: after,
  limit: Math.min(limit, MAX_PAGE),
  ...(since && { created: { gte: toSeconds(since) } }),
});

export function bookOperations(callStripe: CallStripe): BookOperations {
  return {
    balance: () => callStripe(async (stripe) => toBalance(await stripe.balance.retrieve())),
    listBookEntries: (page) =>
      callStripe(async (stripe) => {
        const list = await stripe.balanceTransactions.list({ ...cursorOf(page), expand: ['data.source'] });
        return list.data.map(toBookEntry);
      }),
    listPayouts: (page) => callStripe(async (stripe) => (await stripe.payouts.list(cursorOf(page))).data.map(toPayout)),
    payOut: ({ minor: amount, currency }, idempotencyKey) =>
      callStripe(async (stripe) => toPayout(await stripe.payouts.create({ amount, currency }, { idempotencyKey }))),
    listTransfers: (page) =>
      callStripe(async (stripe) => (await stripe.transfers.list(cursorOf(page))).data.map(toTransfer)),
    listApplicationFees: (page) =>
      callStripe(async (stripe) => (await stripe.applicationFees.list(cursorOf(page))).data.map(toApplicationFee)),
    recoverShare: (payment, amount, key) =>
      withReason(
        callStripe((stripe) => recoverShare(stripe, { payment, minor: amount?.minor, key })),
        // Stripe reports only a sentence if less is left
        async () => {
          const left = await callStripe((stripe) => leftOfShare(stripe, payment));
          return (amount?.minor ?? 1) > left ? paymentsConflict() : null;
        },
      ),
  };
}

function toBalance({ available, pending }: Stripe.Balance): Balance {
  const amounts = (parts: { amount: number; currency: string }[]) =>
    parts.map(({ amount, currency }) => toMoney(amount, currency));
  return { available: amounts(available), pending: amounts(pending) };
}

type Recovery = { payment: string; minor: number | undefined; key: string };

async function recoverShare(stripe: Stripe, { payment, minor, key }: Recovery): Promise<Transfer> {
  const transfer = await transferOf(stripe, payment);
  await stripe.transfers.createReversal(transfer, { amount: minor }, { idempotencyKey: key });
  return toTransfer(await stripe.transfers.retrieve(transfer));
}

/** Only a destination charge has a transfer. */
async function transferOf(stripe: Stripe, payment: string): Promise<string> {
  const { charge } = await fetchPayment(stripe, payment);
  const transfer = charge === null ? null : idOf((await stripe.charges.retrieve(charge)).transfer);
  if (transfer === null) throw paymentsConflict();
  return transfer;
}

async function leftOfShare(stripe: Stripe, payment: string): Promise<number> {
  const { amount, amount_reversed } = await stripe.transfers.retrieve(await transferOf(stripe, payment));
  return amount - amount_reversed;
}
