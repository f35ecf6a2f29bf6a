import { acceptRecommendation, declineRecommendation } from '~/server/domain/recommendations/answer-recommendation';
import { blockRequests, listBlocks, unblockRequests } from '~/server/domain/recommendations/block-requests';
import { visitRecommended } from '~/server/domain/recommendations/count-brought';
import { endRecommendation, withdrawRecommendation } from '~/server/domain/recommendations/end-recommendation';
import { findShows } from '~/server/domain/recommendations/find-shows';
import { listRecommendations } from '~/server/domain/recommendations/list-recommendations';
import { requestRecommendation } from '~/server/domain/recommendations/request-recommendation';
import * as schema from '~/server/domain/recommendations/schema';
import { creatorProcedure, limited, limitedCreator, router } from '../init';

/** Recommendations between the shows of different creators. */
export const recommendationsRouter = router({
  visit: limited('publicWrite')
    .meta({ openTo: 'everyone' })
    .input(schema.visitRecommended)
    .mutation(({ ctx, input }) => visitRecommended(ctx, input)),
  list: creatorProcedure
    .meta({ openTo: 'recommendation.manage' })
    .input(schema.listRecommendations)
    .query(({ ctx, input }) => listRecommendations(ctx, input)),
  findShows: limitedCreator('recommendable')
    .input(schema.findShows)
    .query(({ ctx, input }) => findShows(ctx, input)),
  request: creatorProcedure
    .input(schema.requestRecommendation)
    .mutation(({ ctx, input }) => requestRecommendation(ctx, input)),
  accept: creatorProcedure
    .input(schema.findRecommendation)
    .mutation(({ ctx, input }) => acceptRecommendation(ctx, input)),
  decline: creatorProcedure
    .input(schema.findRecommendation)
    .mutation(({ ctx, input }) => declineRecommendation(ctx, input)),
  withdraw: creatorProcedure
    .input(schema.findRecommendation)
    .mutation(({ ctx, input }) => withdrawRecommendation(ctx, input)),
  end: creatorProcedure.input(schema.findRecommendation).mutation(({ ctx, input }) => endRecommendation(ctx, input)),
  blocks: creatorProcedure.meta({ openTo: 'recommendation.manage' }).query(({ ctx }) => listBlocks(ctx)),
  block: creatorProcedure
    .meta({ openTo: 'recommendation.manage' })
    .input(schema.changeBlock)
    .mutation(({ ctx, input }) => blockRequests(ctx, input)),
  unblock: creatorProcedure
    .meta({ openTo: 'recommendation.manage' })
    .input(schema.changeBlock)
    .mutation(({ ctx, input }) => unblockRequests(ctx, input)),
});
