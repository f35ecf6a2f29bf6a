import { feedRedirect, leavingShows } from '~/server/domain/moving/redirects/queries';
import {
  checkRedirect,
  redirectFeed,
  undoRedirect,
  undoRedirectByLink,
  undoRedirectLink,
} from '~/server/domain/moving/redirects/redirect-feed';
import * as schema from '~/server/domain/moving/redirects/schema';
import { findProduct } from '~/server/domain/products/schema';
import { creatorProcedure, limited, limitedUser, router } from '../init';

/** Shows that leave for another host. */
export const movingRouter = router({
  shows: creatorProcedure.meta({ openTo: 'product.handOver' }).query(({ ctx }) => leavingShows(ctx)),
  redirect: creatorProcedure.input(findProduct).query(({ ctx, input }) => feedRedirect(ctx, input)),
  check: limitedUser('fetchFeed')
    .input(schema.checkRedirect)
    .mutation(({ ctx, input }) => checkRedirect(ctx, input)),
  redirectFeed: limitedUser('fetchFeed')
    .input(schema.redirectFeed)
    .mutation(({ ctx, input }) => redirectFeed(ctx, input)),
  undo: creatorProcedure.input(findProduct).mutation(({ ctx, input }) => undoRedirect(ctx, input)),
  /** The link of the email to the owner. */
  undoLink: limited('verifyEmail')
    .meta({ openTo: 'everyone' })
    .input(schema.undoLink)
    .query(({ ctx, input }) => undoRedirectLink(ctx, input)),
  undoByLink: limited('verifyEmail')
    .meta({ openTo: 'everyone' })
    .input(schema.undoLink)
    .mutation(({ ctx, input }) => undoRedirectByLink(ctx, input)),
});
