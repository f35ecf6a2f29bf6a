import type Stripe from 'stripe';
import { findAccount } from './accounts';
import { balanceNow, book } from './balance';
import { BLANK } from './blanks';
import { idOf, listOf } from './kinds';
import { paymentAt } from './passing-on';
import { listRoute, type Route, retrieveRoute, route } from './routes';
import { refused } from './wire/faults';
import { newId } from './wire/ids';
import { mergedMetadata, metadata, needed, text, whole } from './wire/shape';
import type { Work } from './work';

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

export const transferRoutes: Route[] = [
  route(
    'POST',
    '/v1/transfers',
    {
      amount: needed(whole(1)),
      currency: needed(text(3)),
      destination: needed(text()),
      source_transaction: text(),
      transfer_group: text(),
      description: text(),
      metadata: metadata(),
    },
    async (work, input) => {
      const account = await findAccount(work, input.destination, 'destination');
      const { available } = await balanceNow(work);
      const has = available.find(({ currency }) => currency === input.currency)?.amount ?? 0;
      if (has < input.amount && !input.source_transaction)
        throw refused('You have insufficient available funds in your Stripe account.', {
          code: 'balance_insufficient',
        });
      const there = work.on(account.id);
      const payment = there.add(paymentAt(there, { currency: input.currency }, input.amount));
      payment.balance_transaction = book(there, {
        type: 'payment',
        amount: input.amount,
        currency: input.currency,
        source: payment.id,
        atOnce: true,
      }).id;
      there.emit('payment.created', payment);
      const transfer = newTransfer(work, {
        amount: input.amount,
        currency: input.currency,
        destination: account.id,
        destinationPayment: payment.id,
        sourceTransaction: input.source_transaction,
        group: input.transfer_group,
        description: input.description,
        metadata: mergedMetadata({}, input.metadata),
      });
      payment.source_transfer = transfer.id;
      return transfer;
    },
  ),
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
