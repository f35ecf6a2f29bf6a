import { findPaper } from '~/server/domain/payouts/papers';
import { listPayouts, payoutOverview, requestFromSession } from '~/server/domain/payouts/request-payout';
import * as schema from '~/server/domain/payouts/schema';
import { exportStatement, statementOf } from '~/server/domain/payouts/statements';
import { creatorProcedure, limitedCreator, router } from '../init';

export const payoutsRouter = router({
  overview: creatorProcedure.meta({ openTo: 'creator.readPayouts' }).query(({ ctx }) => payoutOverview(ctx)),
  list: creatorProcedure.input(schema.listPayouts).query(({ ctx, input }) => listPayouts(ctx, input)),
  paper: creatorProcedure.input(schema.findPaper).query(({ ctx, input }) => findPaper(ctx, input)),
  statement: creatorProcedure.input(schema.findStatement).query(({ ctx, input }) => statementOf(ctx, input)),
  exportStatement: creatorProcedure
    .input(schema.exportStatement)
    .query(({ ctx, input }) => exportStatement(ctx, input)),
  request: limitedCreator('requestPayout')
    .meta({ openTo: 'creator.requestPayout' })
    .input(schema.requestFromSession)
    .mutation(({ ctx, input }) => requestFromSession(ctx, input)),
});
