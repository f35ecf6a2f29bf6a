import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { refused } from '../wire/faults';
import { newId } from '../wire/ids';
import { BLANK } from '../wire/null-fields';
import { idOf, listOf } from '../wire/objects';
import { type Input, mergedMetadata, metadata, needed, type Shape, text, whole } from '../wire/shapes';
import { findAccount } from './accounts';
import { availableNow, book } from './balance';

type NewTransfer = {
  amount: number;
  currency: string;
  destination: string;
  sourceTransaction?: string;
  destinationPayment: string;
  group?: string | null;
  description?: string | null;
  metadata?: Record<string, string>;
};

export function newTransfer(work: Work, said: NewTransfer): Stripe.Transfer {
  const id = newId('tr');
  const { amount, currency } = said;
  const transfer: Stripe.Transfer = {
    ...BLANK.transfer,
    id,
    object: 'transfer',
    amount,
    amount_reversed: 0,
    balance_transaction: book(work, { type: 'transfer', amount: -amount, currency, source: id }).id,
    created: work.now(),
    currency,
    description: said.description ?? null,
    destination: said.destination,
    destination_payment: said.destinationPayment,
    livemode: false,
    metadata: said.metadata ?? {},
    reversals: listOf(`/v1/transfers/${id}/reversals`, []),
    reversed: false,
    source_transaction: said.sourceTransaction ?? null,
    source_type: 'card',
    transfer_group: said.group ?? null,
  };
  return work.add(transfer, {}, 'transfer.created');
}

/** The receiving side of a transfer: a charge of its own, whose id begins with `py_`. */
export function paymentAt(there: Work, { currency }: { currency: string }, amount: number): Stripe.Charge {
  return {
    ...BLANK.charge,
    id: newId('py'),
    object: 'charge',
    amount,
    amount_captured: amount,
    amount_refunded: 0,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    captured: true,
    created: there.now(),
    currency,
    disputed: false,
    fraud_details: {},
    livemode: false,
    metadata: {},
    paid: true,
    refunded: false,
    source: null,
    status: 'succeeded',
  };
}

/** Takes a part of a transfer back from the account that received it. */
export async function reverse(work: Work, transfer: Stripe.Transfer, amount: number, refund: string | null = null) {
  if (amount > transfer.amount - transfer.amount_reversed)
    throw refused('The reversal is greater than what is left of the transfer.', { param: 'amount' });
  const id = newId('trr');
  const { currency } = transfer;
  const reversal: Stripe.TransferReversal = {
    ...BLANK.transferReversal,
    id,
    object: 'transfer_reversal',
    amount,
    balance_transaction: book(work, { type: 'transfer_refund', amount, currency, source: id, atOnce: true }).id,
    created: work.now(),
    currency,
    metadata: {},
    source_refund: refund,
    transfer: transfer.id,
  };
  work.add(reversal);
  transfer.amount_reversed += amount;
  transfer.reversed = transfer.amount_reversed === transfer.amount;
  transfer.reversals.data.unshift(reversal);
  work.emit('transfer.reversed', transfer);
  const there = work.on(idOf(transfer.destination) ?? '');
  book(there, { type: 'payment_refund', amount: -amount, currency, source: id });
  const payment = await there.get('charge', idOf(transfer.destination_payment) ?? '');
  if (payment) payment.amount_refunded += amount;
  return reversal;
}

const CREATE = {
  amount: needed(whole(1)),
  currency: needed(text(3)),
  destination: needed(text()),
  source_transaction: text(),
  transfer_group: text(),
  description: text(),
  metadata: metadata(),
} satisfies Shape;

async function create(work: Work, asked: Input<typeof CREATE>): Promise<Stripe.Transfer> {
  const { amount, currency } = asked;
  const account = await findAccount(work, asked.destination, 'destination');
  if (!asked.source_transaction && (await availableNow(work, currency)) < amount)
    throw refused('You have insufficient available funds in your Stripe account.', { code: 'balance_insufficient' });
  const there = work.on(account.id);
  const payment = there.add(paymentAt(there, { currency }, amount));
  const { id: source } = payment;
  payment.balance_transaction = book(there, { type: 'payment', amount, currency, source, atOnce: true }).id;
  const transfer = newTransfer(work, {
    amount,
    currency,
    destination: account.id,
    destinationPayment: payment.id,
    sourceTransaction: asked.source_transaction,
    group: asked.transfer_group,
    description: asked.description,
    metadata: mergedMetadata({}, asked.metadata),
  });
  payment.source_transfer = transfer.id;
  return transfer;
}

export const transferRoutes: Route[] = [
  route('POST', '/v1/transfers', CREATE, create),
  retrieveRoute('/v1/transfers', 'transfer'),
  listRoute('/v1/transfers', 'transfer', {
    filters: { destination: text(), transfer_group: text() },
    criteria: ({ destination, transfer_group }) => ({
      fields: { ...(destination && { destination }), ...(transfer_group && { transfer_group }) },
    }),
  }),
  route(
    'POST',
    '/v1/transfers/:id/reversals',
    { amount: whole(1), metadata: metadata() },
    async (work, input, { id = '' }) => {
      const transfer = await work.find('transfer', id);
      return reverse(work, transfer, input.amount ?? transfer.amount - transfer.amount_reversed);
    },
  ),
];
