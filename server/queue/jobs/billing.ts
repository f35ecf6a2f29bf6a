import { z } from 'zod';
import { count, id, job, PATIENT, QUICK, SCHEDULED } from '../job';

/** Stops a creator's messages to a person who wants no emails of this creator (billing/buyers/stop-messages.ts). */
export const stopMessages = job('billing.stop-messages', { creatorId: id, userId: id }, QUICK);
/** Stores the object of an event from the payment provider (billing/provider-sync/events.ts). */
export const handlePaymentEvent = job('billing.handle-event', { eventId: z.string().max(255) }, PATIENT);
/** Emails the buyer and the creator about a settled checkout. */
export const reportCheckout = job('billing.report-checkout', { checkoutId: z.uuid() }, QUICK);
/** Checks the payment page of a checkout that should have closed. */
export const syncOpenCheckout = job('billing.sync-open-checkout', { checkoutId: z.uuid() }, PATIENT);
/** Handles unfinished events again, and checks pages whose events were lost. */
export const recoverBilling = job('billing.recover', {}, SCHEDULED);
/** Closes a deleted account's payment page, and deletes its customer at the provider (erase-payments.ts). */
export const closeErasedCheckout = job('billing.close-erased-checkout', { checkoutId: z.uuid() }, PATIENT);
export const deleteCustomer = job('billing.delete-customer', { customer: z.string().max(255) }, PATIENT);
/** Fetches events of the payment provider that did not arrive. */
export const catchUpPayments = job(
  'billing.catch-up',
  { account: z.string().max(255).optional() },
  { ...SCHEDULED, expires: 600 },
);
/** Ends all sales on an account that a creator disconnects, and then releases it (disconnect-account.ts). */
export const leaveAccount = job('billing.leave-account', { sellerAccountId: id }, PATIENT);
/** Ends a subscription here whose account is no longer connected, or resumes it (lost-accounts.ts). */
export const reviewSubscription = job('billing.review-subscription', { subscriptionId: id }, PATIENT);
export const restoreAccount = job('billing.restore-account', { account: z.string().max(255) }, PATIENT);
/** Sets our fee for subscriptions on accounts of creators that renew soon (billing/subscriptions/platform-fees.ts). */
export const setPlatformFees = job('billing.set-platform-fees', {}, SCHEDULED);
export const setPlatformFee = job('billing.set-platform-fee', { subscriptionId: id }, PATIENT);
const endReason = z.enum([
  ...(['subscriber', 'creator', 'card_removed', 'unpaid', 'show_becomes_free', 'refunded', 'duplicate'] as const),
  ...(['disputed', 'account_deleted', 'account_disconnected', 'account_suspended', 'taken_down'] as const),
]);
const ended = { subscriptionId: id, reason: endReason };
/** Ends a subscription for one of our reasons, or undoes that end (billing/subscriptions/end-subscriptions.ts). */
export const endSubscription = job(
  'billing.end-subscription',
  { ...ended, when: z.enum(['at_period_end', 'now']) },
  PATIENT,
);
export const resumeSubscription = job('billing.resume-subscription', ended, PATIENT);
/** Charges subscriptions to another card if they lost theirs, or to a newly stored one (charge-card.ts). */
export const applyCard = job('billing.apply-card', { customer: z.string().max(255) }, PATIENT);
/** Ends a subscription now and refunds its unused part, with about a dozen calls (ending-refunds.ts). */
export const refundEnd = job('billing.refund-end', { subscriptionId: id }, { ...PATIENT, workers: 4 });
/** Computes what refunding all subscriptions to a show would cost (billing/refunds/unused-payments.ts). */
export const computeUnused = job('billing.compute-unused', { productId: id }, QUICK);
/** Returns a refused payment again, because its refund has failed (billing/refunds/return-refused.ts). */
export const returnRefused = job(
  'billing.return-refused',
  { checkoutId: z.uuid(), payment: z.string().max(255), attempt: id },
  PATIENT,
);
/** Returns the credit that is left when a creator's plan ends (billing/plan-billing/refund-credit.ts). */
export const refundPlanCredit = job('billing.refund-plan-credit', { subscriptionId: id }, PATIENT);
/**
 * Runs after a show became free, stayed paid or was deleted (show-endings.ts). Each run marks some of the
 * subscriptions, those with ids above `after` first, and enqueues the next run.
 */
export const syncShowSubscriptions = job('billing.sync-show-subscriptions', { productId: id, after: count }, PATIENT);
/** Emails a reminder of a failed renewal, or ends its subscription (billing/payers/overdue.ts). */
export const remindOverdue = job('billing.remind-overdue', { subscriptionId: id }, PATIENT);
export const remindAllOverdue = job('billing.remind-all-overdue', {}, SCHEDULED);
/** Emails recipients whose gift has ended that they can subscribe. */
export const reportEndedGifts = job('billing.report-ended-gifts', {}, SCHEDULED);
const storedCard = { checkoutId: z.uuid(), card: z.string().max(255).optional() };
export const chargeStoredCard = job('billing.charge-stored-card', storedCard, PATIENT);
/** After an address was verified, or a card saved by a guest (billing/payers/claim-cards.ts). */
export const claimSavedCards = job('billing.claim-saved-cards', { userId: id }, PATIENT);
/** Compares the ledger with the payment provider's books (billing/books/reconcile-books.ts). */
export const reconcileBooks = job('billing.reconcile', {}, { ...SCHEDULED, expires: 3600 });
/** Deletes old events of the payment provider, and unpaid checkouts. */
export const sweepPayments = job('billing.sweep', {}, SCHEDULED);
