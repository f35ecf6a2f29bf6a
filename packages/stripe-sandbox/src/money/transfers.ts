import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route, subListRoute } from '../api/route';
import type { Work } from '../engine/account-work';
import { invalidRequest } from '../wire/faults';
import { newId } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { idOf, listOf } from '../wire/objects';
import { currency, type Input, integer, mergeMetadata, metadata, required, type Shape, text } from '../wire/shapes';
import { findDestination } from './accounts';
import { availableAfterNow, availableBalance, bookTransaction } from './balance';

type NewTransfer = {
  amount: number;
  currency: string;
  destination: string;
  sourceTransaction?: string;
  destinationPayment: string;
  availableOn?: number;
  group?: string | null;
  description?: string | null;
  metadata?: Record<string, string>;
};

export function newTransfer(work: Work, input: NewTransfer): Stripe.Transfer {
  const id = newId('tr');
  const { amount, currency, availableOn } = input;
  const transfer: Stripe.Transfer = {
    ...NULL_FIELDS.transfer,
    id,
    object: 'transfer',
    amount,
    amount_reversed: 0,
    balance_transaction: bookTransaction(work, { type: 'transfer', amount: -amount, currency, source: id, availableOn })
      .id,
    created: work.now(),
    currency,
    description: input.description ?? null,
    destination: input.destination,
    destination_payment: input.destinationPayment,
    livemode: false,
    metadata: input.metadata ?? {},
    reversals: listOf(`/v1/transfers/${id}/reversals`, []),
    reversed: false,
    source_transaction: input.sourceTransaction ?? null,
    source_type: 'card',
    transfer_group: input.group ?? null,
  };
  return work.add(transfer, {}, 'transfer.created');
}

/** The charge at the receiving account of a transfer. Its id begins with `py_`. */
export function newDestinationPayment(
  accountWork: Work,
  { currency }: { currency: string },
  amount: number,
): Stripe.Charge {
  return {
    ...NULL_FIELDS.charge,
    id: newId('py'),
    object: 'charge',
    amount,
    amount_captured: amount,
    amount_refunded: 0,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    captured: true,
    created: accountWork.now(),
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

/** Returns part of a transfer from the receiving account. */
export async function reverseTransfer(
  work: Work,
  transfer: Stripe.Transfer,
  amount: number,
  refund: string | null = null,
) {
  if (amount > transfer.amount - transfer.amount_reversed)
    throw invalidRequest('The reversal is greater than the remaining amount of the transfer.', { param: 'amount' });
  const id = newId('trr');
  const { currency } = transfer;
  const reversal: Stripe.TransferReversal = {
    ...NULL_FIELDS.transferReversal,
    id,
    object: 'transfer_reversal',
    amount,
    balance_transaction: bookTransaction(work, {
      type: 'transfer_refund',
      amount,
      currency,
      source: id,
      availableOn: work.now(),
    }).id,
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
  const accountWork = work.forAccount(idOf(transfer.destination) ?? '');
  bookTransaction(accountWork, { type: 'payment_refund', amount: -amount, currency, source: id });
  const payment = await accountWork.get('charge', idOf(transfer.destination_payment) ?? '');
  if (payment) {
    payment.amount_refunded += amount;
    payment.refunded = payment.amount_refunded === payment.amount;
  }
  return reversal;
}

const CREATE = {
  amount: required(integer(1)),
  currency: required(currency()),
  destination: required(text()),
  source_transaction: text(),
  transfer_group: text(),
  description: text(),
  metadata: metadata(),
} satisfies Shape;

async function create(work: Work, input: Input<typeof CREATE>): Promise<Stripe.Transfer> {
  const { amount, currency } = input;
  const account = await findDestination(work, input.destination, 'destination');
  const source = input.source_transaction ? await sourceOf(work, input.source_transaction, input) : null;
  if (!source && (await availableBalance(work, currency)) < amount)
    throw invalidRequest('You have insufficient available funds in your Stripe account.', {
      code: 'balance_insufficient',
    });
  const availableOn = source?.availableOn ?? work.now();
  const accountWork = work.forAccount(account.id);
  const payment = accountWork.add(newDestinationPayment(accountWork, { currency }, amount));
  payment.balance_transaction = bookTransaction(accountWork, {
    type: 'payment',
    amount,
    currency,
    source: payment.id,
    availableOn,
  }).id;
  const transfer = newTransfer(work, {
    amount,
    currency,
    destination: account.id,
    destinationPayment: payment.id,
    sourceTransaction: source?.charge.id,
    availableOn,
    group: input.transfer_group ?? source?.charge.transfer_group,
    description: input.description,
    metadata: mergeMetadata({}, input.metadata),
  });
  payment.source_transfer = transfer.id;
  return transfer;
}

/**
 * A transfer from a charge becomes available together with it, and cannot exceed its remaining amount ("Create separate
 * charges and transfers").
 */
async function sourceOf(work: Work, id: string, { amount, currency }: { amount: number; currency: string }) {
  const charge = await work.find('charge', id, 'source_transaction');
  const transaction = charge.balance_transaction
    ? await work.find('balance_transaction', charge.balance_transaction, 'source_transaction')
    : null;
  const earlier = await work.list('transfer', { fields: { source_transaction: id } }, { limit: 100 });
  const left = charge.amount - earlier.reduce((all, transfer) => all + transfer.amount - transfer.amount_reversed, 0);
  if (currency !== charge.currency)
    throw invalidRequest(`The currency of source_transaction's balance transaction is ${charge.currency}.`, {
      param: 'currency',
    });
  if (amount > left)
    throw invalidRequest(`Cannot use part of a source charge beyond its amount: ${left} ${currency} are left.`, {
      param: 'amount',
    });
  return { charge, availableOn: transaction?.available_on ?? availableAfterNow(work) };
}

const REVERSALS = '/v1/transfers/:transfer/reversals';

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
    { amount: integer(1), metadata: metadata() },
    async (work, input, { id = '' }) => {
      const transfer = await work.find('transfer', id);
      const amount = input.amount ?? transfer.amount - transfer.amount_reversed;
      const reversal = await reverseTransfer(work, transfer, amount);
      reversal.metadata = mergeMetadata({}, input.metadata);
      return reversal;
    },
  ),
  subListRoute(REVERSALS, 'transfer_reversal', { parent: 'transfer', field: 'transfer' }),
  route('GET', `${REVERSALS}/:id`, {}, (work, _, { id = '' }) => work.find('transfer_reversal', id)),
];
