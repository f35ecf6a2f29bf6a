import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route, subListRoute } from '../api/route';
import type { Work } from '../engine/account-work';
import { invalidRequest } from '../wire/faults';
import { newId } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { idOf, listOf } from '../wire/objects';
import { integer, mergeMetadata, metadata, text } from '../wire/shapes';
import { bookTransaction } from './balance';

type NewFee = {
  account: string;
  charge: string;
  amount: number;
  currency: string;
  availableOn: number;
  origin?: string;
};

export function newApplicationFee(
  platform: Work,
  { account, charge, amount, currency, availableOn, origin }: NewFee,
): Stripe.ApplicationFee {
  const id = newId('fee');
  const fee: Stripe.ApplicationFee = {
    ...NULL_FIELDS.applicationFee,
    id,
    object: 'application_fee',
    account,
    amount,
    amount_refunded: 0,
    application: 'ca_sandbox',
    balance_transaction: bookTransaction(platform, {
      type: 'application_fee',
      amount,
      currency,
      source: id,
      availableOn,
    }).id,
    charge,
    created: platform.now(),
    currency,
    livemode: false,
    originating_transaction: origin ?? null,
    refunded: false,
    refunds: listOf(`/v1/application_fees/${id}/refunds`, []),
  };
  return platform.add(fee, {}, 'application_fee.created');
}

/** Refunds part of a fee to the account that paid it. */
export function refundFee(platform: Work, fee: Stripe.ApplicationFee, amount: number): Stripe.FeeRefund {
  if (amount > fee.amount - fee.amount_refunded)
    throw invalidRequest('The refund is greater than the remaining application fee.', { param: 'amount' });
  const id = newId('fr');
  const { currency } = fee;
  const transaction = bookTransaction(platform, {
    type: 'application_fee_refund',
    amount: -amount,
    currency,
    source: id,
  });
  const refund = platform.add({
    ...NULL_FIELDS.feeRefund,
    id,
    object: 'fee_refund' as const,
    amount,
    balance_transaction: transaction.id,
    created: platform.now(),
    currency,
    fee: fee.id,
    metadata: {},
  });
  fee.amount_refunded += amount;
  fee.refunded = fee.amount_refunded === fee.amount;
  fee.refunds.data.unshift(refund);
  platform.emit('application_fee.refunded', fee);
  bookTransaction(platform.forAccount(idOf(fee.account)), {
    type: 'adjustment',
    category: 'fee',
    amount,
    currency,
    source: id,
    description: 'Application fee refunded',
    availableOn: platform.now(),
  });
  return refund;
}

const REFUNDS = '/v1/application_fees/:application_fee/refunds';

export const applicationFeeRoutes: Route[] = [
  retrieveRoute('/v1/application_fees', 'application_fee'),
  listRoute('/v1/application_fees', 'application_fee', {
    filters: { charge: text() },
    criteria: ({ charge }) => ({ parent: charge }),
  }),
  route(
    'POST',
    '/v1/application_fees/:id/refunds',
    { amount: integer(1), metadata: metadata() },
    async (work, input, { id = '' }) => {
      const fee = await work.find('application_fee', id);
      const refund = refundFee(work, fee, input.amount ?? fee.amount - fee.amount_refunded);
      refund.metadata = mergeMetadata({}, input.metadata);
      return refund;
    },
  ),
  subListRoute(REFUNDS, 'fee_refund', { parent: 'application_fee', field: 'fee' }),
  route('GET', `${REFUNDS}/:id`, {}, (work, _, { id = '' }) => work.find('fee_refund', id)),
];
