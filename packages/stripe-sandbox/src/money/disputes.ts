import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { DAY } from '../engine/time';
import { invalidRequest } from '../wire/faults';
import { newId } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { idOf } from '../wire/objects';
import { flag, group, mergeMetadata, metadata, text } from '../wire/shapes';
import { bookTransaction, DISPUTE_FEE } from './balance';

const RESPONSE_TIME = 9 * DAY;
/** In test mode, Stripe decides by the words `winning_evidence` and `losing_evidence` ("Test disputes"). */
const OUTCOME_BY_EVIDENCE: Record<string, 'won' | 'lost'> = { winning_evidence: 'won', losing_evidence: 'lost' };

const EVIDENCE_FIELDS =
  'access_activity_log billing_address cancellation_policy cancellation_policy_disclosure cancellation_rebuttal customer_communication customer_email_address customer_name customer_purchase_ip customer_signature duplicate_charge_documentation duplicate_charge_explanation duplicate_charge_id product_description receipt refund_policy refund_policy_disclosure refund_refusal_explanation service_date service_documentation shipping_address shipping_carrier shipping_date shipping_documentation shipping_tracking_number uncategorized_file uncategorized_text'.split(
    ' ',
  );

/** The bank withdraws the amount and a fee at once. */
export async function openDispute(work: Work, charge: Stripe.Charge, reason: string): Promise<Stripe.Dispute> {
  const id = newId('du');
  const taken = bookTransaction(work, {
    type: 'adjustment',
    category: 'dispute',
    amount: -charge.amount,
    currency: charge.currency,
    source: id,
    description: `Chargeback withdrawal for ${charge.id}`,
    fees: [{ amount: DISPUTE_FEE, type: 'stripe_fee', description: 'Dispute fee' }],
  });
  const dispute = work.add({ ...newDispute(work, charge), id, balance_transactions: [taken], reason });
  charge.disputed = true;
  work.emit('charge.dispute.created', dispute);
  work.emit('charge.dispute.funds_withdrawn', dispute);
  work.emitUpdate(charge);
  return dispute;
}

const newDispute = (work: Work, charge: Stripe.Charge) => ({
  ...NULL_FIELDS.dispute,
  object: 'dispute' as const,
  amount: charge.amount,
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

/** A won dispute returns the amount but not the fee; a lost one returns nothing. */
export function closeDispute(work: Work, dispute: Stripe.Dispute, outcome: 'won' | 'lost'): void {
  dispute.status = outcome;
  if (outcome === 'won') {
    const { amount, currency } = dispute;
    const reversal = bookTransaction(work, {
      type: 'adjustment',
      category: 'dispute_reversal',
      amount,
      currency,
      source: dispute.id,
      description: 'Chargeback reversal',
      availableOn: work.now(),
    });
    dispute.balance_transactions.push(reversal);
    work.emit('charge.dispute.funds_reinstated', dispute);
  }
  work.emit('charge.dispute.closed', dispute);
}

/** A dispute without a response in time is lost. */
export function expireDispute(work: Work, dispute: Stripe.Dispute): void {
  dispute.evidence_details.past_due = true;
  closeDispute(work, dispute, 'lost');
}

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
      dispute.status = 'under_review';
      work.emitUpdate(dispute);
      const decision = OUTCOME_BY_EVIDENCE[String(input.evidence.uncategorized_text)];
      if (decision) closeDispute(work, dispute, decision);
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
