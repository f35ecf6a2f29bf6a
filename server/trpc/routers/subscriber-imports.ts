import { startMove } from '~/server/domain/moving/account-moves/move-subscriptions';
import { moveOverview } from '~/server/domain/moving/account-moves/queries';
import { confirmSubscriberImport } from '~/server/domain/moving/subscriber-imports/confirm-import';
import { exportOldFeeds } from '~/server/domain/moving/subscriber-imports/old-addresses';
import {
  exportProblemLines,
  latestSubscriberImport,
  listProblemLines,
} from '~/server/domain/moving/subscriber-imports/queries';
import {
  cancelSubscriberImport,
  requestSubscriberImport,
} from '~/server/domain/moving/subscriber-imports/request-import';
import * as schema from '~/server/domain/moving/subscriber-imports/schema';
import { findProduct } from '~/server/domain/products/schema';
import { creatorProcedure, limitedCreator, router } from '../init';

/** Subscribers who come from another host. */
export const subscriberImportsRouter = router({
  latest: creatorProcedure.input(findProduct).query(({ ctx, input }) => latestSubscriberImport(ctx, input)),
  problems: creatorProcedure.input(schema.findSubscriberImport).query(({ ctx, input }) => listProblemLines(ctx, input)),
  exportProblems: creatorProcedure.input(schema.exportLines).query(({ ctx, input }) => exportProblemLines(ctx, input)),
  oldFeeds: creatorProcedure.input(schema.exportOldFeeds).query(({ ctx, input }) => exportOldFeeds(ctx, input)),
  request: limitedCreator('importSubscribers')
    .input(schema.requestSubscriberImport)
    .mutation(({ ctx, input }) => requestSubscriberImport(ctx, input)),
  confirm: creatorProcedure
    .input(schema.confirmSubscriberImport)
    .mutation(({ ctx, input }) => confirmSubscriberImport(ctx, input)),
  cancel: creatorProcedure
    .input(schema.findSubscriberImport)
    .mutation(({ ctx, input }) => cancelSubscriberImport(ctx, input)),
});

/** Subscribers who move to the creator's own account at the payment provider. */
export const subscriberMovesRouter = router({
  overview: creatorProcedure.meta({ openTo: 'creator.connectAccount' }).query(({ ctx }) => moveOverview(ctx)),
  start: limitedCreator('importSubscribers')
    .meta({ openTo: 'creator.connectAccount' })
    .mutation(({ ctx }) => startMove(ctx)),
});
