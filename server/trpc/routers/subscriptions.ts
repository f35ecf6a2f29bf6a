import {
  cancelSubscription,
  findMySubscription,
  listMySubscriptions,
  renewSubscription,
} from '~/server/domain/billing/managing';
import {
  finishCard,
  listMyCards,
  removeCard,
  setDefaultCard,
  startCard,
} from '~/server/domain/billing/payment-methods';
import * as schema from '~/server/domain/billing/schema';
import { changeToYearly, previewYearly } from '~/server/domain/billing/yearly';
import { limitedUser, router, userProcedure } from '../init';

/** What subscribers manage: their subscriptions. */
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
