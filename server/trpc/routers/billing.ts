import * as schema from '~/server/domain/billing/base/schema';
import { buyShow } from '~/server/domain/billing/checkout/buy-show';
import { viewOffer } from '~/server/domain/billing/checkout/view-offer';
import { finishCheckout } from '~/server/domain/billing/payers/finish-checkout';
import { limited, router } from '../init';

export const billingRouter = router({
  offer: limited('viewOffer')
    .input(schema.findOffer.omit({ coupon: true }))
    .query(({ ctx, input }) => viewOffer(ctx, input, ctx.buyer.known())),
  /** Needs a code, which clients might guess. */
  reducedOffer: limited('checkCoupon')
    .input(schema.findOffer)
    .query(({ ctx, input }) => viewOffer(ctx, input, ctx.buyer.known())),
  buy: limited('buy')
    .input(schema.buyShow)
    .mutation(({ ctx, input }) => buyShow(ctx, input, ctx.buyer.browser())),
  /** May log the browser in. */
  finish: limited('viewCheckout')
    .input(schema.findCheckout)
    .mutation(({ ctx, input }) => finishCheckout(ctx, input, ctx.buyer.known())),
});
