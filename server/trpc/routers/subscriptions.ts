import * as schema from '~/server/domain/billing/base/schema';
import { findOverdue, finishOverdueCard, startOverdueCard } from '~/server/domain/billing/payers/overdue-links';
import {
  finishCard,
  listMyCards,
  removeCard,
  setDefaultCard,
  startCard,
} from '~/server/domain/billing/payers/payment-methods';
import { findMyReceipt, listMyReceipts } from '~/server/domain/billing/payers/receipts';
import {
  cancelSubscription,
  findMySubscription,
  listMySubscriptions,
  renewSubscription,
} from '~/server/domain/billing/subscriptions/my-subscriptions';
import { endPause, pauseSubscription } from '~/server/domain/billing/subscriptions/pause-subscription';
import { changeToYearly, previewYearly } from '~/server/domain/billing/subscriptions/yearly';
import { limited, limitedCreator, limitedUser, router, userProcedure } from '../init';

/** Subscribers manage their subscriptions here. */
export const subscriptionsRouter = router({
  mine: userProcedure.query(({ ctx }) => listMySubscriptions(ctx)),
  get: userProcedure.input(schema.findSubscription).query(({ ctx, input }) => findMySubscription(ctx, input)),
  cancel: limitedUser('publicWrite')
    .input(schema.cancelSubscription)
    .mutation(({ ctx, input }) => cancelSubscription(ctx, input)),
  renew: limitedUser('publicWrite')
    .input(schema.findSubscription)
    .mutation(({ ctx, input }) => renewSubscription(ctx, input)),
  yearlyPreview: limitedUser('publicWrite')
    .input(schema.findSubscription)
    .query(({ ctx, input }) => previewYearly(ctx, input)),
  changeToYearly: limitedUser('publicWrite')
    .input(schema.changeToYearly)
    .mutation(({ ctx, input }) => changeToYearly(ctx, input)),
});

/** Saved cards. */
export const cardsRouter = router({
  mine: userProcedure.query(({ ctx }) => listMyCards(ctx)),
  overdue: limited('publicWrite')
    .meta({ openTo: 'everyone' })
    .input(schema.overdueLink)
    .query(({ ctx, input }) => findOverdue(ctx, input)),
  startOverdue: limited('publicWrite')
    .meta({ openTo: 'everyone' })
    .input(schema.overdueLink)
    .mutation(({ ctx, input }) => startOverdueCard(ctx, input)),
  finishOverdue: limited('publicWrite')
    .input(schema.finishOverdue)
    .mutation(({ ctx, input }) => finishOverdueCard(ctx, input)),
  start: limitedUser('publicWrite')
    .input(schema.startCard)
    .mutation(({ ctx, input }) => startCard(ctx, input)),
  finish: limitedUser('publicWrite')
    .input(schema.finishCard)
    .mutation(({ ctx, input }) => finishCard(ctx, input)),
  setDefault: limitedUser('publicWrite')
    .input(schema.findCard)
    .mutation(({ ctx, input }) => setDefaultCard(ctx, input)),
  remove: limitedUser('publicWrite')
    .input(schema.findCard)
    .mutation(({ ctx, input }) => removeCard(ctx, input)),
});

export const receiptsRouter = router({
  list: userProcedure.input(schema.listReceipts).query(({ ctx, input }) => listMyReceipts(ctx, input)),
  get: userProcedure.input(schema.findReceipt).query(({ ctx, input }) => findMyReceipt(ctx, input)),
});

/** The creator of a show pauses its subscribers here. */
export const pausesRouter = router({
  pause: limitedCreator('payments')
    .input(schema.pauseSubscription)
    .mutation(({ ctx, input }) => pauseSubscription(ctx, input)),
  end: limitedCreator('payments')
    .input(schema.findSubscription)
    .mutation(({ ctx, input }) => endPause(ctx, input)),
});
