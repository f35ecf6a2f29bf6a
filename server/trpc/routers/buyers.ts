import * as schema from '~/server/domain/billing/base/schema';
import { exportBuyers, findBuyer, listBuyers } from '~/server/domain/billing/buyers/buyers';
import { inviteBuyer } from '~/server/domain/billing/buyers/invite-buyers';
import { noteBuyer } from '~/server/domain/billing/buyers/note-buyer';
import { removeBuyer } from '~/server/domain/billing/buyers/remove-buyer';
import { revenueOfShow } from '~/server/domain/billing/buyers/show-revenue';
import { refundSale } from '~/server/domain/billing/refunds/refund-sale';
import { findProduct } from '~/server/domain/products/schema';
import { creatorProcedure, limitedCreator, limitedUser, router } from '../init';

/** Subscribers and customers of a show. */
export const buyersRouter = router({
  list: creatorProcedure.input(schema.listBuyers).query(({ ctx, input }) => listBuyers(ctx, input)),
  export: creatorProcedure.input(schema.exportBuyers).query(({ ctx, input }) => exportBuyers(ctx, input)),
  get: creatorProcedure.input(schema.findBuyer).query(({ ctx, input }) => findBuyer(ctx, input)),
  revenue: creatorProcedure.input(findProduct).query(({ ctx, input }) => revenueOfShow(ctx, input)),
  note: creatorProcedure.input(schema.noteBuyer).mutation(({ ctx, input }) => noteBuyer(ctx, input)),
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
