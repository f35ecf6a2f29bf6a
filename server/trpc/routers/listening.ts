import { recordMinutes } from '~/server/domain/listening/heard-minutes';
import { recordListen } from '~/server/domain/listening/listens';
import { episodeUrl, openEpisode } from '~/server/domain/listening/open-episode';
import { adjacentEpisodes, otherEpisodesOf } from '~/server/domain/listening/other-episodes';
import { positionIn, savePosition } from '~/server/domain/listening/positions';
import { playsOfEpisodes, playsOfShow, playsOfShows } from '~/server/domain/listening/queries';
import * as schema from '~/server/domain/listening/schema';
import { startPlaying } from '~/server/domain/listening/start-play';
import { listProgress, listUnfinished } from '~/server/domain/listening/unfinished-episodes';
import { findProduct } from '~/server/domain/products/schema';
import { creatorProcedure, limited, limitedUser, publicProcedure, router, userProcedure } from '../init';

export const listeningRouter = router({
  open: publicProcedure.input(schema.playEpisode).query(({ ctx, input }) => openEpisode(ctx, input)),
  start: publicProcedure.input(schema.startPlaying).query(({ ctx, input }) => startPlaying(ctx, input)),
  url: publicProcedure.input(schema.playEpisode).query(({ ctx, input }) => episodeUrl(ctx, input)),
  adjacent: publicProcedure.input(schema.playEpisode).query(({ ctx, input }) => adjacentEpisodes(ctx, input)),
  others: publicProcedure.input(schema.otherEpisodes).query(({ ctx, input }) => otherEpisodesOf(ctx, input)),
  record: limited('publicWrite')
    .input(schema.recordListen)
    .mutation(({ ctx, input }) => recordListen(ctx, input)),
  countMinutes: limited('countMinutes')
    .input(schema.recordMinutes)
    .mutation(({ ctx, input }) => recordMinutes(ctx, input)),
  position: publicProcedure.input(schema.playEpisode).query(({ ctx, input }) => positionIn(ctx, input)),
  savePosition: limitedUser('savePosition')
    .input(schema.savePosition)
    .mutation(({ ctx, input }) => savePosition(ctx, input)),
  unfinished: userProcedure.query(({ ctx }) => listUnfinished(ctx)),
  progress: userProcedure.input(schema.episodePlays).query(({ ctx, input }) => listProgress(ctx, input)),
  plays: creatorProcedure.input(schema.episodePlays).query(({ ctx, input }) => playsOfEpisodes(ctx, input)),
  playsOfShow: creatorProcedure.input(findProduct).query(({ ctx, input }) => playsOfShow(ctx, input)),
  playsOfShows: creatorProcedure.input(schema.showPlays).query(({ ctx, input }) => playsOfShows(ctx, input)),
});
