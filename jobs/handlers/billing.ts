import { reconcileNightly } from '~/server/domain/billing/books/reconcile-books';
import { stopMessagesTo } from '~/server/domain/billing/buyers/stop-messages';
import { reportEndedGifts as reportAllEndedGifts } from '~/server/domain/billing/gifts/endings';
import { chargeLost, chargeToStoredCard } from '~/server/domain/billing/payers/charge-card';
import { claimCards } from '~/server/domain/billing/payers/claim-cards';
import { closeErased, eraseCustomer, recoverErasures } from '~/server/domain/billing/payers/erase-payments';
import { remindAllOverdue as remindEveryOverdue, remindOrEnd } from '~/server/domain/billing/payers/overdue';
import { reportCheckout as report } from '~/server/domain/billing/payers/report-checkout';
import { sweepPayments as sweep } from '~/server/domain/billing/payers/sweep-payments';
import { returnPlanCredit } from '~/server/domain/billing/plan-billing/refund-credit';
import { catchUp } from '~/server/domain/billing/provider-sync/catch-up';
import { handleEvent, recoverPayments, syncExpiredCheckout } from '~/server/domain/billing/provider-sync/events';
import { returnRefused as returnAgain } from '~/server/domain/billing/refunds/return-refused';
import { computeUnusedPayments } from '~/server/domain/billing/refunds/unused-payments';
import { disconnectAtProvider, recoverLeaving } from '~/server/domain/billing/subscriptions/disconnect-account';
import { endQueued, recoverEnds, resumeQueued } from '~/server/domain/billing/subscriptions/end-subscriptions';
import { endWithRefund, recoverEndRefunds } from '~/server/domain/billing/subscriptions/ending-refunds';
import { closeLost, restoreSubscriptions, reviewOne } from '~/server/domain/billing/subscriptions/lost-accounts';
import { setFee, setFees } from '~/server/domain/billing/subscriptions/platform-fees';
import { syncShowSubscriptions as syncSubscriptionsOf } from '~/server/domain/billing/subscriptions/show-endings';
import {
  applyCard,
  catchUpPayments,
  chargeStoredCard,
  claimSavedCards,
  closeErasedCheckout,
  computeUnused,
  deleteCustomer,
  endSubscription,
  handlePaymentEvent,
  leaveAccount,
  reconcileBooks,
  recoverBilling,
  refundEnd,
  refundPlanCredit,
  remindAllOverdue,
  remindOverdue,
  reportCheckout,
  reportEndedGifts,
  restoreAccount,
  resumeSubscription,
  returnRefused,
  reviewSubscription,
  setPlatformFee,
  setPlatformFees,
  stopMessages,
  sweepPayments,
  syncOpenCheckout,
  syncShowSubscriptions,
} from '~/server/queue/jobs/billing';
import { handle } from './handle';

export const billingHandlers = [
  handle(handlePaymentEvent, (payload, ctx) => handleEvent(ctx, payload)),
  handle(reportCheckout, (payload, ctx) => report(ctx, payload)),
  handle(syncOpenCheckout, (payload, ctx) => syncExpiredCheckout(ctx, payload)),
  handle(recoverBilling, async (_, ctx) => {
    await recoverPayments(ctx);
    await recoverEnds(ctx);
    await recoverEndRefunds(ctx);
    await recoverLeaving(ctx);
    await closeLost(ctx);
  }),
  handle(closeErasedCheckout, (payload, ctx) => closeErased(ctx, payload)),
  handle(deleteCustomer, (payload, ctx) => eraseCustomer(ctx, payload)),
  handle(catchUpPayments, (payload, ctx) => catchUp(ctx, payload)),
  handle(endSubscription, (payload, ctx) => endQueued(ctx, payload)),
  handle(resumeSubscription, (payload, ctx) => resumeQueued(ctx, payload)),
  handle(refundPlanCredit, (payload, ctx) => returnPlanCredit(ctx, payload)),
  handle(computeUnused, (payload, ctx) => computeUnusedPayments(ctx, payload)),
  handle(refundEnd, (payload, ctx) => endWithRefund(ctx, payload)),
  handle(returnRefused, (payload, ctx) => returnAgain(ctx, payload)),
  handle(applyCard, (payload, ctx) => chargeLost(ctx, payload)),
  handle(chargeStoredCard, async (payload, ctx) => {
    await chargeToStoredCard(ctx, payload);
  }),
  handle(claimSavedCards, (payload, ctx) => claimCards(ctx, payload)),
  handle(syncShowSubscriptions, (payload, ctx) => syncSubscriptionsOf(ctx, payload)),
  handle(remindOverdue, (payload, ctx) => remindOrEnd(ctx, payload)),
  handle(remindAllOverdue, (_, ctx) => remindEveryOverdue(ctx)),
  handle(sweepPayments, async (_, ctx) => {
    await sweep(ctx);
    await recoverErasures(ctx);
  }),
  handle(reconcileBooks, (_, ctx) => reconcileNightly(ctx)),
  handle(leaveAccount, (payload, ctx) => disconnectAtProvider(ctx, payload)),
  handle(reviewSubscription, (payload, ctx) => reviewOne(ctx, payload)),
  handle(restoreAccount, (payload, ctx) => restoreSubscriptions(ctx, payload)),
  handle(setPlatformFees, (_, ctx) => setFees(ctx)),
  handle(setPlatformFee, (payload, ctx) => setFee(ctx, payload)),
  handle(stopMessages, (payload, ctx) => stopMessagesTo(ctx, payload)),
  handle(reportEndedGifts, (_, ctx) => reportAllEndedGifts(ctx)),
];
