import { followShow, unfollowShow } from '~/server/domain/access/follow-show';
import { endCreatorsLink, lookupCreatorsLink } from '~/server/domain/feeds/creators-link';
import { findHeardShow, firstToHear, listHeardEpisodes, myFeed } from '~/server/domain/feeds/heard-shows';
import { privateLinks, replaceLink } from '~/server/domain/feeds/private-links';
import { feedReadiness } from '~/server/domain/feeds/readiness';
import { confirmFollow, followLink, requestFollow } from '~/server/domain/feeds/request-follow';
import * as schema from '~/server/domain/feeds/schema';
import { findProduct } from '~/server/domain/products/schema';
import { creatorProcedure, limited, limitedUser, router, userProcedure } from '../init';

export const feedsRouter = router({
  readiness: creatorProcedure.input(findProduct).query(({ ctx, input }) => feedReadiness(ctx, input)),
  mine: userProcedure.query(({ ctx }) => myFeed(ctx)),
  episodes: userProcedure.input(schema.listHeardEpisodes).query(({ ctx, input }) => listHeardEpisodes(ctx, input)),
  heardShow: userProcedure.input(schema.findShow).query(({ ctx, input }) => findHeardShow(ctx, input.productId)),
  firstToHear: userProcedure.input(schema.findShow).query(({ ctx, input }) => firstToHear(ctx, input)),
  privateLinks: userProcedure.input(schema.findFeed).query(({ ctx, input }) => privateLinks(ctx, input)),
  replaceLink: limitedUser('publicWrite')
    .input(schema.replaceLink)
    .mutation(({ ctx, input }) => replaceLink(ctx, input)),
  creatorsLink: userProcedure.input(schema.findShow).query(({ ctx, input }) => lookupCreatorsLink(ctx, input)),
  endCreatorsLink: limitedUser('publicWrite')
    .input(schema.findShow)
    .mutation(({ ctx, input }) => endCreatorsLink(ctx, input)),
  follow: limitedUser('publicWrite')
    .input(schema.findShow)
    .mutation(({ ctx, input }) => followShow(ctx, input)),
  unfollow: userProcedure.input(schema.findShow).mutation(({ ctx, input }) => unfollowShow(ctx, input)),
  requestFollow: limited('requestFollow')
    .input(schema.requestFollow)
    .mutation(({ ctx, input }) => requestFollow(ctx, input)),
  followLink: limited('publicWrite')
    .meta({ openTo: 'everyone' })
    .input(schema.followLink)
    .query(({ ctx, input }) => followLink(ctx, input)),
  confirmFollow: limited('publicWrite')
    .meta({ openTo: 'everyone' })
    .input(schema.followLink)
    .mutation(({ ctx, input }) => confirmFollow(ctx, input)),
});
