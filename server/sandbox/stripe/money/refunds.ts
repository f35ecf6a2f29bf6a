import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { PLATFORM } from '../engine/store';
import { missingParameter, refused } from '../wire/faults';
import { newId, randomText } from '../wire/ids';
import { BLANK } from '../wire/null-fields';
import { idOf, listOf } from '../wire/objects';
import { clearable, flag, mergedMetadata, metadata, one, text, whole } from '../wire/shapes';
import { refundFee } from './application-fees';
import { book } from './balance';
import { share } from './proportions';
import { reverse } from './transfers';

async function chargeOf(work: Work, charge: string | undefined, intent: string | undefined): Promise<Stripe.Charge> {
  if (charge) return work.find('charge', charge, 'charge');
  if (!intent) throw missingParameter('payment_intent');
  const found = await work.find('payment_intent', intent, 'payment_intent');
  const latest = found.status === 'succeeded' ? idOf(found.latest_charge) : null;
  if (!latest)
    throw refused('This PaymentIntent does not have a successful charge to refund.', {
      code: 'payment_intent_unexpected_state',
    });
  return work.find('charge', latest);
}

function refuseWrongAmount(charge: Stripe.Charge, amount: number): void {
  const left = charge.amount - charge.amount_refunded;
  if (charge.disputed)
    throw refused('This charge has been charged back and cannot be refunded.', {
      code: 'charge_disputed',
      param: 'charge',
    });
  if (left === 0) throw refused(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  if (amount > left)
    throw refused(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left}).`, {
      code: 'amount_too_large',
      param: 'amount',
    });
}

type Asked = {
  amount?: number;
  reason?: string;
  metadata?: Record<string, string>;
  reverse_transfer?: boolean;
  refund_application_fee?: boolean;
};

async function refundCharge(work: Work, charge: Stripe.Charge, asked: Asked): Promise<Stripe.Refund> {
  const amount = asked.amount ?? charge.amount - charge.amount_refunded;
  refuseWrongAmount(charge, amount);
  const refund = work.add(blankRefund(work, charge, amount));
  refund.metadata = mergedMetadata({}, asked.metadata);
  refund.reason = (asked.reason ?? null) as Stripe.Refund.Reason | null;
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  await giveBackShares(work, charge, refund, asked);
  work.emit('refund.created', refund);
  work.emit('charge.refunded', charge);
  return refund;
}

function blankRefund(work: Work, charge: Stripe.Charge, amount: number): Stripe.Refund {
  const id = newId('re');
  const { currency } = charge;
  return {
    ...BLANK.refund,
    id,
    object: 'refund',
    amount,
    balance_transaction: book(work, { type: 'refund', amount: -amount, currency, source: id }).id,
    charge: charge.id,
    created: work.now(),
    currency,
    customer: idOf(charge.customer),
    destination_details: {
      type: 'card',
      card: { type: 'refund', reference_status: 'pending', reference_type: 'acquirer_reference_number' },
    },
    payment_intent: idOf(charge.payment_intent),
    payment_method: charge.payment_method,
    receipt_number: randomText(8).toUpperCase(),
    status: 'succeeded',
  };
}

/** In proportion to the refund: what was passed on, and what was taken for it. */
async function giveBackShares(work: Work, charge: Stripe.Charge, refund: Stripe.Refund, asked: Asked): Promise<void> {
  if (asked.reverse_transfer) {
    if (!charge.transfer) throw refused('This charge has no transfer to reverse.', { param: 'reverse_transfer' });
    const transfer = await work.find('transfer', idOf(charge.transfer));
    const part = Math.min(
      share(transfer.amount, refund.amount, charge.amount),
      transfer.amount - transfer.amount_reversed,
    );
    refund.transfer_reversal = (await reverse(work, transfer, part, refund.id)).id;
  }
  if (!asked.refund_application_fee) return;
  const platform = work.on(PLATFORM);
  const fee = charge.application_fee ? await platform.get('application_fee', idOf(charge.application_fee)) : null;
  if (!fee) throw refused('This charge has no application fee to refund.', { param: 'refund_application_fee' });
  const part = Math.min(share(fee.amount, refund.amount, charge.amount), fee.amount - fee.amount_refunded);
  if (part > 0) refundFee(platform, fee, part);
}

/** The newest refunds of a charge, as `charge.refunds` shows them. */
export async function refundsOf(work: Work, charge: string): Promise<Stripe.ApiList<Stripe.Refund>> {
  const found = await work.list('refund', { fields: { charge } }, { limit: 10 });
  return listOf(`/v1/charges/${charge}/refunds`, found);
}

export const refundRoutes: Route[] = [
  route(
    'POST',
    '/v1/refunds',
    {
      charge: text(),
      payment_intent: text(),
      amount: whole(1),
      reason: one('duplicate', 'fraudulent', 'requested_by_customer'),
      reverse_transfer: flag(),
      refund_application_fee: flag(),
      metadata: metadata(),
    },
    async (work, input) => refundCharge(work, await chargeOf(work, input.charge, input.payment_intent), input),
  ),
  retrieveRoute('/v1/refunds', 'refund'),
  route('POST', '/v1/refunds/:id', { metadata: clearable(metadata()) }, async (work, input, { id = '' }) => {
    const refund = await work.find('refund', id);
    refund.metadata = mergedMetadata(refund.metadata, input.metadata ?? {});
    return refund;
  }),
  listRoute('/v1/refunds', 'refund', {
    filters: { charge: text(), payment_intent: text() },
    criteria: ({ charge, payment_intent }) => ({ parent: payment_intent, fields: { ...(charge && { charge }) } }),
  }),
];
