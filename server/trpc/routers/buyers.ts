import * as schema from '~/server/domain/billing/base/schema';
import { exportBuyers, findBuyer, listBuyers } from '~/server/domain/billing/buyers/buyers';
import { inviteBuyer } from '~/server/domain/billing/buyers/invite-buyers';
import { removeBuyer } from '~/server/domain/billing/buyers/remove-buyer';
import { refundSale } from '~/server/domain/billing/refunds/refund-sale';
import { creatorProcedure, limitedCreator, limitedUser, router } from '../init';

/** Subscribers and customers of a show. */
export const buyersRouter = router({
  list: creatorProcedure.input(schema.listBuyers).query(({ ctx, input }) => listBuyers(ctx, input)),
  export: creatorProcedure.input(schema.exportBuyers).query(({ ctx, input }) => exportBuyers(ctx, input)),
  get: creatorProcedure.input(schema.findBuyer).query(({ ctx, input }) => findBuyer(ctx, input)),
  refund: limitedCreator('payments')
    .input(schema.refundSale)
    .mutation(({ ctx, input }) => refundSale(ctx, input)),
  remove: limitedCreator('payments')
    .input(schema.findBuyer)
    .mutation(({ ctx, input }) => removeBuyer(ctx, input)),
  invite: limitedUser('publicWrite')
    .input(schema.inviteBuyer)
    .mutation(({ ctx, input }) => inviteBuyer(ctx, input)),
});
