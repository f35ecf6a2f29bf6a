import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { DAY } from '../engine/time';
import { invalidRequest } from '../wire/faults';
import { newId } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { idOf } from '../wire/objects';
import { flag, group, mergeMetadata, metadata, text } from '../wire/shapes';
import { bookTransaction } from './balance';

const RESPONSE_TIME = 9 * DAY;
/** By the currency of the account: 20.00 in the euro area, 15.00 in the United States. */
const FEES: Record<string, number> = { eur: 2000 };
const OTHER_FEE = 1500;

type Outcome = 'won' | 'lost' | 'escalated';
/** In test mode, Stripe decides by these words ("Test disputes"). */
const OUTCOME_BY_EVIDENCE: Record<string, Outcome> = {
  winning_evidence: 'won',
  losing_evidence: 'lost',
  escalate_inquiry_evidence: 'escalated',
};

const EVIDENCE_FIELDS =
  'access_activity_log billing_address cancellation_policy cancellation_policy_disclosure cancellation_rebuttal customer_communication customer_email_address customer_name customer_purchase_ip customer_signature duplicate_charge_documentation duplicate_charge_explanation duplicate_charge_id product_description receipt refund_policy refund_policy_disclosure refund_refusal_explanation service_date service_documentation shipping_address shipping_carrier shipping_date shipping_documentation shipping_tracking_number uncategorized_file uncategorized_text'.split(
    ' ',
  );

/** An inquiry of the bank: it takes nothing, and the payment can still be refunded. */
export const isInquiry = ({ status }: Stripe.Dispute): boolean => status.startsWith('warning_');

/** What a test card's bank does: it takes the payment back, or asks first. */
export type Disputing = { reason: string; asksFirst?: boolean };

export function openDispute(work: Work, charge: Stripe.Charge, { reason, asksFirst }: Disputing): void {
  const dispute: Stripe.Dispute = work.add({ ...newDispute(work, charge), reason });
  charge.disputed = true;
  if (asksFirst) dispute.status = 'warning_needs_response';
  dispute.is_charge_refundable = asksFirst ?? false;
  if (!asksFirst) dispute.balance_transactions.push(withdraw(work, dispute));
  work.emit('charge.dispute.created', dispute);
  if (!asksFirst) work.emit('charge.dispute.funds_withdrawn', dispute);
  work.emitUpdate(charge);
}

const disputeFee = (currency: string) => FEES[currency] ?? OTHER_FEE;

/** The bank withdraws the amount and a fee at once. */
function withdraw(work: Work, { id, amount, currency, charge }: Stripe.Dispute): Stripe.BalanceTransaction {
  return bookTransaction(work, {
    type: 'adjustment',
    category: 'dispute',
    amount: -amount,
    currency,
    source: id,
    description: `Chargeback withdrawal for ${idOf(charge)}`,
    fees: [{ amount: disputeFee(currency), type: 'stripe_fee', description: 'Dispute fee' }],
  });
}

/** An inquiry becomes a chargeback. */
function escalate(work: Work, dispute: Stripe.Dispute): void {
  dispute.status = 'needs_response';
  dispute.is_charge_refundable = false;
  dispute.evidence_details.due_by = work.now() + RESPONSE_TIME;
  dispute.balance_transactions.push(withdraw(work, dispute));
  work.emitUpdate(dispute);
  work.emit('charge.dispute.funds_withdrawn', dispute);
}

const newDispute = (work: Work, charge: Stripe.Charge) => ({
  ...NULL_FIELDS.dispute,
  id: newId('du'),
  object: 'dispute' as const,
  amount: charge.amount,
  balance_transactions: [],
  charge: charge.id,
  created: work.now(),
  currency: charge.currency,
  enhanced_eligibility_types: [],
  evidence: {
    ...Object.fromEntries(EVIDENCE_FIELDS.map((name) => [name, null])),
    enhanced_evidence: {},
  } as unknown as Stripe.Dispute.Evidence,
  evidence_details: {
    due_by: work.now() + RESPONSE_TIME,
    enhanced_eligibility: {},
    has_evidence: false,
    past_due: false,
    submission_count: 0,
    submission_method: 'not_submitted',
  } as Stripe.Dispute.EvidenceDetails,
  is_charge_refundable: false,
  livemode: false,
  metadata: {},
  payment_intent: idOf(charge.payment_intent),
  status: 'needs_response' as const,
});

/**
 * A won dispute returns the amount and the fee ("Test disputes"), and the payment can be refunded again; a lost one
 * returns nothing.
 */
export function closeDispute(work: Work, dispute: Stripe.Dispute, outcome: 'won' | 'lost'): void {
  dispute.status = outcome;
  const [taken] = dispute.balance_transactions;
  if (outcome === 'won' && taken) {
    const { amount, currency } = dispute;
    const reversal = bookTransaction(work, {
      type: 'adjustment',
      category: 'dispute_reversal',
      amount,
      currency,
      source: dispute.id,
      description: 'Chargeback reversal',
      fees: [{ amount: 0 - disputeFee(currency), type: 'stripe_fee', description: 'Dispute fee refund' }],
      availableOn: work.now(),
    });
    dispute.balance_transactions.push(reversal);
    dispute.is_charge_refundable = true;
    work.emit('charge.dispute.funds_reinstated', dispute);
  }
  work.emit('charge.dispute.closed', dispute);
}

/** Closes an inquiry without a chargeback. */
export function closeInquiry(work: Work, dispute: Stripe.Dispute): void {
  dispute.status = 'warning_closed';
  work.emit('charge.dispute.closed', dispute);
}

/** A dispute without a response in time is lost; an inquiry is only forgotten. */
export function expireDispute(work: Work, dispute: Stripe.Dispute): void {
  dispute.evidence_details.past_due = true;
  decide(work, dispute, 'lost');
}

function decide(work: Work, dispute: Stripe.Dispute, outcome: Outcome): void {
  if (isInquiry(dispute) && outcome === 'escalated') escalate(work, dispute);
  else if (isInquiry(dispute)) closeInquiry(work, dispute);
  else if (outcome !== 'escalated') closeDispute(work, dispute, outcome);
}

/** The disputes of a charge. */
export const disputesOf = (work: Work, charge: Stripe.Charge): Promise<Stripe.Dispute[]> =>
  work.list('dispute', { fields: { charge: charge.id } }, { limit: 10 });

const evidence = group(Object.fromEntries(EVIDENCE_FIELDS.map((name) => [name, text()])));

function assertAnswerable(dispute: Stripe.Dispute): void {
  if (dispute.status !== 'needs_response' && dispute.status !== 'warning_needs_response')
    throw invalidRequest('This dispute no longer accepts a response.', { code: 'dispute_not_answerable' });
}

export const disputeRoutes: Route[] = [
  retrieveRoute('/v1/disputes', 'dispute'),
  route(
    'POST',
    '/v1/disputes/:id',
    { evidence, submit: flag(), metadata: metadata() },
    async (work, input, { id = '' }) => {
      const dispute = await work.find('dispute', id);
      dispute.metadata = mergeMetadata(dispute.metadata, input.metadata);
      if (!input.evidence) return dispute;
      assertAnswerable(dispute);
      Object.assign(dispute.evidence, input.evidence);
      dispute.evidence_details.has_evidence = true;
      if (input.submit === false) return dispute;
      dispute.evidence_details.submission_count += 1;
      dispute.status = isInquiry(dispute) ? 'warning_under_review' : 'under_review';
      work.emitUpdate(dispute);
      const outcome = OUTCOME_BY_EVIDENCE[String(input.evidence.uncategorized_text)];
      if (outcome) decide(work, dispute, outcome);
      return dispute;
    },
  ),
  route('POST', '/v1/disputes/:id/close', {}, async (work, _, { id = '' }) => {
    const dispute = await work.find('dispute', id);
    assertAnswerable(dispute);
    closeDispute(work, dispute, 'lost');
    return dispute;
  }),
  listRoute('/v1/disputes', 'dispute', {
    filters: { charge: text(), payment_intent: text() },
    criteria: ({ charge, payment_intent }) => ({
      fields: { ...(charge && { charge }), ...(payment_intent && { payment_intent }) },
    }),
  }),
];
