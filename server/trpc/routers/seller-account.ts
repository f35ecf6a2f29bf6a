import { countRunningThere, disconnectAccount } from '~/server/domain/billing/subscriptions/disconnect-account';
import { finishConnecting, startConnecting } from '~/server/domain/payouts/connect-account';
import * as schema from '~/server/domain/payouts/schema';
import { viewSellerAccount } from '~/server/domain/payouts/seller-account';
import { creatorProcedure, limitedCreator, router } from '../init';

/** The creator's own account at the payment provider. */
export const sellerAccountRouter = router({
  view: creatorProcedure.meta({ openTo: 'creator.connectAccount' }).query(({ ctx }) => viewSellerAccount(ctx)),
  running: creatorProcedure.meta({ openTo: 'creator.connectAccount' }).query(({ ctx }) => countRunningThere(ctx)),
  start: limitedCreator('payments')
    .meta({ openTo: 'creator.connectAccount' })
    .input(schema.connectAccount)
    .mutation(({ ctx, input }) => startConnecting(ctx, input)),
  finish: limitedCreator('payments')
    .input(schema.finishConnecting)
    .mutation(({ ctx, input }) => finishConnecting(ctx, input)),
  disconnect: limitedCreator('payments')
    .meta({ openTo: 'creator.connectAccount' })
    .input(schema.connectAccount)
    .mutation(({ ctx, input }) => disconnectAccount(ctx, input)),
});
