import { leave, recoverLeaving } from '~/server/domain/billing/account-disconnecting';
import { catchUp } from '~/server/domain/billing/catching-up';
import { chargeLost, chargeToStoredCard } from '~/server/domain/billing/charging';
import { endQueued, recoverEnds, resumeQueued } from '~/server/domain/billing/ending';
import { endWithRefund, recoverEndRefunds } from '~/server/domain/billing/ending-refunds';
import { closeErased, eraseCustomer, recoverErasures } from '~/server/domain/billing/erasing';
import { handleEvent, recoverPayments, syncExpiredCheckout } from '~/server/domain/billing/events';
import { reportEndedGifts as reportAllEndedGifts } from '~/server/domain/billing/gift-endings';
import { closeLost, restoreSubscriptions, reviewOne } from '~/server/domain/billing/lost-accounts';
import { remindAllOverdue as remindEveryOverdue, remindOrEnd } from '~/server/domain/billing/overdue';
import { setFee, setFees } from '~/server/domain/billing/platform-fees';
import { reconcileNightly } from '~/server/domain/billing/reconciling';
import { reportCheckout as report } from '~/server/domain/billing/reporting';
import { syncShowSubscriptions as syncSubscriptionsOf } from '~/server/domain/billing/show-endings';
import { sweepPayments as sweep } from '~/server/domain/billing/sweeping';
import {
  applyCard,
  catchUpPayments,
  chargeStoredCard,
  closeErasedCheckout,
  deleteCustomer,
  endSubscription,
  handlePaymentEvent,
  leaveAccount,
  reconcileBooks,
  recoverBilling,
  refundEnd,
  remindAllOverdue,
  remindOverdue,
  reportCheckout,
  reportEndedGifts,
  restoreAccount,
  resumeSubscription,
  reviewSubscription,
  setPlatformFee,
  setPlatformFees,
  sweepPayments,
  syncOpenCheckout,
  syncShowSubscriptions,
} from '../catalog';
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
  handle(refundEnd, (payload, ctx) => endWithRefund(ctx, payload)),
  handle(applyCard, (payload, ctx) => chargeLost(ctx, payload)),
  handle(chargeStoredCard, async (payload, ctx) => {
    await chargeToStoredCard(ctx, payload);
  }),
  handle(syncShowSubscriptions, (payload, ctx) => syncSubscriptionsOf(ctx, payload)),
  handle(remindOverdue, (payload, ctx) => remindOrEnd(ctx, payload)),
  handle(remindAllOverdue, (_, ctx) => remindEveryOverdue(ctx)),
  handle(sweepPayments, async (_, ctx) => {
    await sweep(ctx);
    await recoverErasures(ctx);
  }),
  handle(reconcileBooks, (_, ctx) => reconcileNightly(ctx)),
  handle(leaveAccount, (payload, ctx) => leave(ctx, payload)),
  handle(reviewSubscription, (payload, ctx) => reviewOne(ctx, payload)),
  handle(restoreAccount, (payload, ctx) => restoreSubscriptions(ctx, payload)),
  handle(setPlatformFees, (_, ctx) => setFees(ctx)),
  handle(setPlatformFee, (payload, ctx) => setFee(ctx, payload)),
  handle(reportEndedGifts, (_, ctx) => reportAllEndedGifts(ctx)),
];
