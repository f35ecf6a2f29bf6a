import { giveReason } from '~/server/domain/accounts/base/schema';
import * as starting from '~/server/domain/accounts/settings/start-progress';
import { router, userProcedure } from '../init';

/** The start wizard of new creators. */
export const startRouter = router({
  progress: userProcedure.query(({ ctx }) => starting.readStartProgress(ctx)),
  giveReason: userProcedure.input(giveReason).mutation(({ ctx, input }) => starting.giveReason(ctx, input)),
  markPageShared: userProcedure.mutation(({ ctx }) => starting.markPageShared(ctx)),
});
