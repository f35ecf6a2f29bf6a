import { listMyGifts, lookupMyGift } from '~/server/domain/billing/base/gift-links';
import * as schema from '~/server/domain/billing/base/schema';
import { buyGift, viewGiftOffer } from '~/server/domain/billing/gifts/buy-gift';
import { openGift, redeemGift } from '~/server/domain/billing/gifts/redeem-gift';
import { limited, limitedUser, router, userProcedure } from '../init';

/** Gifts of shows to other people. */
export const giftsRouter = router({
  offer: limited('viewOffer')
    .input(schema.findGiftOffer)
    .query(({ ctx, input }) => viewGiftOffer(ctx, input, ctx.buyer.known())),
  buy: limited('buy')
    .input(schema.buyGift)
    .mutation(({ ctx, input }) => buyGift(ctx, input, ctx.buyer.browser())),
  mine: userProcedure.query(({ ctx }) => listMyGifts(ctx)),
  bought: userProcedure.input(schema.findMyGift).query(({ ctx, input }) => lookupMyGift(ctx, input)),
  open: limited('openGift')
    .input(schema.giftLink)
    .query(({ ctx, input }) => openGift(ctx, input)),
  redeem: limitedUser('openGift')
    .input(schema.giftLink)
    .mutation(({ ctx, input }) => redeemGift(ctx, input)),
});
