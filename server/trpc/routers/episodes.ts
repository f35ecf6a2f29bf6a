import { getEpisode, getOwnEpisode, listEpisodes } from '~/server/domain/episodes/catalog';
import * as drafting from '~/server/domain/episodes/drafting';
import { holdEpisode, releaseEpisode } from '~/server/domain/episodes/publishing';
import * as schema from '~/server/domain/episodes/schema';
import { creatorProcedure, publicProcedure, router } from '../init';

export const episodesRouter = router({
  create: creatorProcedure.input(schema.createEpisode).mutation(({ ctx, input }) => drafting.createEpisode(ctx, input)),
  update: creatorProcedure.input(schema.updateEpisode).mutation(({ ctx, input }) => drafting.updateEpisode(ctx, input)),
  remove: creatorProcedure.input(schema.findEpisode).mutation(({ ctx, input }) => drafting.removeEpisode(ctx, input)),
  release: creatorProcedure.input(schema.releaseEpisode).mutation(({ ctx, input }) => releaseEpisode(ctx, input)),
  hold: creatorProcedure.input(schema.findEpisode).mutation(({ ctx, input }) => holdEpisode(ctx, input)),
  get: publicProcedure.input(schema.findEpisode).query(({ ctx, input }) => getEpisode(ctx, input)),
  forEditing: creatorProcedure.input(schema.findEpisode).query(({ ctx, input }) => getOwnEpisode(ctx, input)),
  list: publicProcedure.input(schema.listEpisodes).query(({ ctx, input }) => listEpisodes(ctx, input)),
});
