import { checkShow } from '~/server/domain/spotify/check-show';
import { finishLinking, startLinking } from '~/server/domain/spotify/link-account';
import { publishShow, withdrawShow } from '~/server/domain/spotify/publish-show';
import * as schema from '~/server/domain/spotify/schema';
import { spotifyOfShow, spotifyPage } from '~/server/domain/spotify/spotify-page';
import { unlinkAccount } from '~/server/domain/spotify/unlink-account';
import { limitedCreator, limitedUser, router, userProcedure } from '../init';

/** The user's account at Spotify, and the creator's shows there. */
export const spotifyRouter = router({
  page: userProcedure.query(({ ctx }) => spotifyPage(ctx)),
  ofShow: userProcedure.input(schema.findSpotifyShow).query(({ ctx, input }) => spotifyOfShow(ctx, input)),
  link: limitedUser('spotify').mutation(({ ctx }) => startLinking(ctx)),
  finish: limitedUser('spotify')
    .input(schema.finishLinking)
    .mutation(({ ctx, input }) => finishLinking(ctx, input)),
  unlink: limitedUser('spotify').mutation(({ ctx }) => unlinkAccount(ctx)),
  publish: limitedCreator('spotify')
    .input(schema.findSpotifyShow)
    .mutation(({ ctx, input }) => publishShow(ctx, input)),
  withdraw: limitedCreator('spotify')
    .input(schema.findSpotifyShow)
    .mutation(({ ctx, input }) => withdrawShow(ctx, input)),
  check: limitedCreator('spotify')
    .input(schema.findSpotifyShow)
    .mutation(({ ctx, input }) => checkShow(ctx, input)),
});
