import type Stripe from 'stripe';
import { withReason } from './conflict-reasons';
import { expandedOrNull, idOf, toDate, toDateOrNull, toMoney } from './convert';
import { declineReason } from './declines';
import { paymentsConflict } from './errors';
import { freshAttempt } from './fresh-attempt';
import { subscriptionOf } from './invoices';
import type { Dispute, DisputeMovement, Payment, Refund, RefundFailure, RefundReason } from './objects';
import type { PaymentsPort } from './port';
import type { CallStripe } from './stripe-call';

const STATUSES: Record<string, Payment['status']> = {
  succeeded: 'succeeded',
  requires_payment_method: 'needs_card',
  requires_confirmation: 'needs_card',
  requires_action: 'needs_authentication',
  processing: 'processing',
  requires_capture: 'processing',
  canceled: 'canceled',
};

/** The field that payments expand. */
export const CHARGE = 'latest_charge.balance_transaction';

export async function fetchPayment(stripe: Stripe, id: string): Promise<Payment> {
  const [intent, link] = await Promise.all([
    stripe.paymentIntents.retrieve(id, { expand: [CHARGE] }),
    fetchInvoiceLink(stripe, id),
  ]);
  return toPayment(intent, link);
}

type InvoiceLink = Pick<Payment, 'invoice' | 'subscription'>;

/** A payment names no invoice: the link is an object of its own ("Invoice payments"). */
export async function fetchInvoiceLink(stripe: Stripe, id: string): Promise<InvoiceLink> {
  const payment = { type: 'payment_intent' as const, payment_intent: id };
  const { data } = await stripe.invoicePayments.list({ payment, limit: 1, expand: ['data.invoice'] });
  const invoice = expandedOrNull(data[0]?.invoice);
  if (!invoice || invoice.deleted) return { invoice: idOf(data[0]?.invoice), subscription: null };
  return { invoice: invoice.id, subscription: subscriptionOf(invoice) };
}

export function toPayment(intent: Stripe.PaymentIntent, link: InvoiceLink): Payment {
  const charge = expandedOrNull(intent.latest_charge);
  const transaction = expandedOrNull(charge?.balance_transaction);
  const { currency, last_payment_error: failed } = intent;
  return {
    id: intent.id,
    status: STATUSES[intent.status] ?? 'processing',
    amount: toMoney(intent.amount, currency),
    refunded: toMoney(charge?.amount_refunded ?? 0, currency),
    fee: transaction ? toMoney(transaction.fee - platformPart(transaction), transaction.currency) : null,
    platformFee: charge?.application_fee_amount ? toMoney(charge.application_fee_amount, currency) : null,
    net: transaction ? toMoney(transaction.net, transaction.currency) : null,
    availableAt: transaction ? toDate(transaction.available_on) : null,
    charge: idOf(intent.latest_charge),
    ...link,
    customer: idOf(intent.customer),
    card: idOf(intent.payment_method),
    country: charge?.billing_details.address?.country ?? null,
    postalCode: charge?.billing_details.address?.postal_code ?? null,
    cardCountry: charge?.payment_method_details?.card?.country ?? null,
    receiptUrl: charge?.receipt_url ?? null,
    authenticateUrl: intent.next_action?.redirect_to_url?.url ?? null,
    failure: failed ? { reason: declineReason(failed.code, failed.decline_code), code: failed.code ?? '' } : null,
    disputed: charge?.disputed ?? false,
    createdAt: toDate(intent.created),
    reference: intent.metadata,
  };
}

/** On a connected account, the fee of the transaction contains the platform's. */
const platformPart = ({ fee_details: details }: Stripe.BalanceTransaction) =>
  details.reduce((sum, { type, amount }) => sum + (type === 'application_fee' ? amount : 0), 0);

const REASONS: Record<string, RefundReason> = {
  duplicate: 'duplicate',
  fraudulent: 'fraudulent',
  requested_by_customer: 'requested',
};
/** Stripe's name of each of our reasons. */
const REASON_NAMES = { duplicate: 'duplicate', fraudulent: 'fraudulent', requested: 'requested_by_customer' } as const;

const FAILURES: Record<string, RefundFailure> = {
  lost_or_stolen_card: 'lost_or_stolen_card',
  expired_or_canceled_card: 'expired_or_canceled_card',
  charge_for_pending_refund_disputed: 'disputed',
  insufficient_funds: 'insufficient_funds',
  declined: 'declined',
  merchant_request: 'merchant_request',
};

/** The field that refunds expand. */
export const TAKEN = 'balance_transaction';

function takenOf(refund: Stripe.Refund) {
  const transaction = expandedOrNull(refund.balance_transaction);
  return transaction ? toMoney(0 - transaction.net, transaction.currency) : null;
}

export function toRefund(refund: Stripe.Refund): Refund {
  const status = refund.status === 'requires_action' ? 'needs_action' : refund.status;
  return {
    id: refund.id,
    payment: idOf(refund.payment_intent),
    amount: toMoney(refund.amount, refund.currency),
    status: (status ?? 'pending') as Refund['status'],
    reason: REASONS[refund.reason ?? ''] ?? null,
    taken: takenOf(refund),
    failure: status === 'failed' ? (FAILURES[refund.failure_reason ?? ''] ?? 'unknown') : null,
    createdAt: toDate(refund.created),
    reference: refund.metadata ?? {},
  };
}

const DISPUTE_STATUSES: Record<string, Dispute['status']> = {
  warning_needs_response: 'warning',
  warning_under_review: 'warning_under_review',
  warning_closed: 'closed',
  needs_response: 'needs_answer',
  under_review: 'under_review',
  won: 'won',
  lost: 'lost',
  prevented: 'closed',
};

export function toDispute(dispute: Stripe.Dispute): Dispute {
  const status = statusOf(dispute);
  const isAsked = status === 'warning' || status === 'needs_answer';
  // 0: the bank accepts no answer
  const dueBy = dispute.evidence_details.due_by || null;
  return {
    id: dispute.id,
    payment: idOf(dispute.payment_intent),
    amount: toMoney(dispute.amount, dispute.currency),
    reason: dispute.reason,
    status,
    ...movementsOf(dispute),
    answerBy: isAsked ? toDateOrNull(dueBy) : null,
    createdAt: toDate(dispute.created),
  };
}

/** Stripe also calls an inquiry won or lost, for example after it was accepted, although nothing was withdrawn. */
function statusOf({ status, balance_transactions: booked }: Stripe.Dispute): Dispute['status'] {
  if (booked.length === 0 && (status === 'won' || status === 'lost')) return 'closed';
  return DISPUTE_STATUSES[status] ?? 'under_review';
}

/** "Zero, one, or two balance transactions": the money withdrawn, and the money reinstated. */
function movementsOf({
  balance_transactions: booked,
  ...dispute
}: Stripe.Dispute): Pick<Dispute, 'taken' | 'returned'> {
  const of = (sign: number): DisputeMovement | null => {
    const found = booked.find(({ amount }) => Math.sign(amount) === sign);
    if (!found) return null;
    const { amount, fee, currency, created } = found;
    // Stripe may have converted the amount; the fee stays in the currency of our account
    const isConverted = currency !== dispute.currency;
    const moved = isConverted ? dispute : { amount: Math.abs(amount), currency };
    return { amount: toMoney(moved.amount, moved.currency), fee: toMoney(fee, currency), at: toDate(created) };
  };
  return { taken: of(-1), returned: of(1) };
}

/** The rest of a payment that can be refunded, in minor units. */
export const refundableMinor = ({ status, amount, refunded }: Payment) =>
  status === 'succeeded' ? amount.minor - refunded.minor : 0;

type Operations = Pick<PaymentsPort, 'refund' | 'listRefunds' | 'answerDispute' | 'acceptDispute'>;

export function paymentOperations(callStripe: CallStripe): Operations {
  return {
    refund: (payment, { amount, reason, reference, takeBackShare, returnFee }, idempotencyKey) =>
      withReason(
        callStripe(async (stripe) => {
          const share = {
            ...(takeBackShare && { reverse_transfer: true }),
            ...((takeBackShare || returnFee) && { refund_application_fee: true }),
          };
          const params = {
            payment_intent: payment,
            amount: amount?.minor,
            reason: reason && REASON_NAMES[reason],
            metadata: reference,
            expand: [TAKEN],
            ...share,
          };
          return toRefund(
            await freshAttempt(idempotencyKey, (key) => stripe.refunds.create(params, { idempotencyKey: key })),
          );
        }),
        async () => {
          const paid = await callStripe((stripe) => fetchPayment(stripe, payment));
          return (amount?.minor ?? 1) > refundableMinor(paid) ? paymentsConflict() : null;
        },
      ),
    listRefunds: (payment) =>
      callStripe(async (stripe) =>
        (await stripe.refunds.list({ payment_intent: payment, limit: 100, expand: [`data.${TAKEN}`] })).data.map(
          toRefund,
        ),
      ),
    answerDispute: (id, uncategorized_text, idempotencyKey) =>
      callStripe(async (stripe) => {
        const params = { evidence: { uncategorized_text }, submit: true };
        return toDispute(await stripe.disputes.update(id, params, { idempotencyKey }));
      }),
    acceptDispute: (id, idempotencyKey) =>
      callStripe(async (stripe) => toDispute(await stripe.disputes.close(id, {}, { idempotencyKey }))),
  };
}
