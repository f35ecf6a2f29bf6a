import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route, subListRoute } from '../api/route';
import type { Work } from '../engine/account-work';
import { PLATFORM } from '../engine/store';
import { invalidRequest, missingParameter } from '../wire/faults';
import { newId, randomText } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { idOf, listOf } from '../wire/objects';
import { clearable, flag, integer, mergeMetadata, metadata, oneOf, text } from '../wire/shapes';
import { refundFee } from './application-fees';
import { bookTransaction } from './balance';
import { captureCharge } from './captures';
import { useCustomerClock } from './customers';
import { closeInquiry, disputesOf, isInquiry } from './disputes';
import { cardBehaviourOf } from './payment-methods';
import { prorate } from './proportions';
import { reverseTransfer } from './transfers';
import { answerWarnings } from './warnings';

async function findCharge(work: Work, charge: string | undefined, intent: string | undefined): Promise<Stripe.Charge> {
  if (charge) return work.find('charge', charge, 'charge');
  if (!intent) throw missingParameter('payment_intent');
  const found = await work.find('payment_intent', intent, 'payment_intent');
  const latest = found.status === 'succeeded' ? idOf(found.latest_charge) : null;
  if (!latest)
    throw invalidRequest('This PaymentIntent does not have a successful charge to refund.', {
      code: 'payment_intent_unexpected_state',
    });
  return work.find('charge', latest);
}

async function assertRefundable(work: Work, charge: Stripe.Charge, amount: number): Promise<void> {
  const left = charge.amount - charge.amount_refunded;
  if (charge.disputed && (await disputesOf(work, charge)).some((dispute) => !dispute.is_charge_refundable))
    throw invalidRequest('This charge has been charged back and cannot be refunded.', {
      code: 'charge_disputed',
      param: 'charge',
    });
  if (left === 0)
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  if (amount > left)
    throw invalidRequest(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left}).`, {
      code: 'amount_too_large',
      param: 'amount',
    });
}

type RefundInput = {
  amount?: number;
  reason?: string;
  metadata?: Record<string, string>;
  reverse_transfer?: boolean;
  refund_application_fee?: boolean;
};

async function refundCharge(work: Work, charge: Stripe.Charge, input: RefundInput): Promise<Stripe.Refund> {
  const amount = input.amount ?? charge.amount - charge.amount_refunded;
  await assertRefundable(work, charge, amount);
  await captureCharge(work, charge);
  const refund = work.add(newRefund(work, charge, amount));
  refund.metadata = mergeMetadata({}, input.metadata);
  refund.reason = (input.reason ?? null) as Stripe.Refund.Reason | null;
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  await returnShares(work, charge, refund, input);
  await scheduleResult(work, charge, refund);
  work.emit('refund.created', refund);
  work.emit('charge.refunded', charge);
  if (charge.refunded) await answerWarnings(work, charge);
  if (charge.disputed && charge.refunded) await resolveInquiries(work, charge);
  return refund;
}

/** A refund of the whole payment resolves an inquiry ("Disputes": inquiries and retrievals). */
async function resolveInquiries(work: Work, charge: Stripe.Charge): Promise<void> {
  for (const dispute of await disputesOf(work, charge))
    if (isInquiry(dispute) && dispute.status !== 'warning_closed') closeInquiry(work, dispute);
}

/** Stripe sends the result "some time later". */
const RESULT_DELAY = 60;

/** Some test cards return the money later, or never ("Test card numbers": refunds). */
async function scheduleResult(work: Work, charge: Stripe.Charge, refund: Stripe.Refund): Promise<void> {
  const method = charge.payment_method ? await work.get('payment_method', charge.payment_method) : null;
  const result = method && cardBehaviourOf(work, method)?.refunds;
  if (!result) return;
  if (result === 'succeed_later') refund.status = 'pending';
  const customer = charge.customer ? await work.get('customer', idOf(charge.customer)) : null;
  work.hidden(refund).clock = idOf(customer?.test_clock) ?? undefined;
  work.hidden(refund).settles = { at: work.now() + RESULT_DELAY, as: result === 'fail' ? 'failed' : 'succeeded' };
}

/** A failed refund returns to our balance, and the charge counts as not refunded again ("Refund failures"). */
export async function settleRefund(work: Work, refund: Stripe.Refund): Promise<void> {
  const hidden = work.hidden(refund);
  const status = hidden.settles?.as ?? 'succeeded';
  hidden.settles = undefined;
  refund.status = status;
  if (status === 'failed') {
    const { id, amount, currency } = refund;
    refund.failure_reason = 'expired_or_canceled_card';
    refund.failure_balance_transaction = bookTransaction(work, {
      type: 'refund_failure',
      amount,
      currency,
      source: id,
    }).id;
    const charge = await work.find('charge', idOf(refund.charge) ?? '');
    charge.amount_refunded -= amount;
    charge.refunded = false;
  }
  work.emitUpdate(refund);
  if (status === 'failed') work.emit('refund.failed', refund);
}

function newRefund(work: Work, charge: Stripe.Charge, amount: number): Stripe.Refund {
  const id = newId('re');
  const { currency } = charge;
  return {
    ...NULL_FIELDS.refund,
    id,
    object: 'refund',
    amount,
    balance_transaction: bookTransaction(work, { type: 'refund', amount: -amount, currency, source: id }).id,
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

/** Reverses the transfer and refunds the application fee, both in proportion to the refund. */
async function returnShares(
  work: Work,
  charge: Stripe.Charge,
  refund: Stripe.Refund,
  input: RefundInput,
): Promise<void> {
  if (input.reverse_transfer) {
    if (!charge.transfer)
      throw invalidRequest('This charge has no transfer to reverse.', { param: 'reverse_transfer' });
    const transfer = await work.find('transfer', idOf(charge.transfer));
    const part = Math.min(
      prorate(transfer.amount, refund.amount, charge.amount),
      transfer.amount - transfer.amount_reversed,
    );
    refund.transfer_reversal = (await reverseTransfer(work, transfer, part, refund.id)).id;
  }
  if (!input.refund_application_fee) return;
  const platform = work.forAccount(PLATFORM);
  const fee = charge.application_fee ? await platform.get('application_fee', idOf(charge.application_fee)) : null;
  if (!fee) throw invalidRequest('This charge has no application fee to refund.', { param: 'refund_application_fee' });
  // computed from the total refund so far, so that the parts add up to the whole fee
  const part = prorate(fee.amount, charge.amount_refunded, charge.amount) - fee.amount_refunded;
  if (part > 0) refundFee(platform, fee, part);
}

/** `charge.refunds`: the ten newest refunds of a charge. */
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
      amount: integer(1),
      reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer'),
      reverse_transfer: flag(),
      refund_application_fee: flag(),
      metadata: metadata(),
    },
    async (work, input) => {
      const charge = await findCharge(work, input.charge, input.payment_intent);
      await useCustomerClock(work, charge.customer ? await work.get('customer', idOf(charge.customer)) : null);
      return refundCharge(work, charge, input);
    },
  ),
  retrieveRoute('/v1/refunds', 'refund'),
  route('POST', '/v1/refunds/:id', { metadata: clearable(metadata()) }, async (work, input, { id = '' }) => {
    const refund = await work.find('refund', id);
    refund.metadata = input.metadata === null ? {} : mergeMetadata(refund.metadata, input.metadata);
    return refund;
  }),
  subListRoute('/v1/charges/:charge/refunds', 'refund', { parent: 'charge', field: 'charge' }),
  listRoute('/v1/refunds', 'refund', {
    filters: { charge: text(), payment_intent: text() },
    criteria: ({ charge, payment_intent }) => ({ parent: payment_intent, fields: { ...(charge && { charge }) } }),
  }),
];
