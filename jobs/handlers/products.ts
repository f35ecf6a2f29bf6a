import { completeFreeConversion, recoverFreeConversions } from '~/server/domain/access/free-conversion';
import { queueFollowLink } from '~/server/domain/feeds/following';
import { announceFeed } from '~/server/domain/feeds/hub-pings';
import { dealWithSharedFeed, findSharedFeeds } from '~/server/domain/feeds/sharing';
import { learnWords } from '~/server/domain/products/correcting';
import { refreshPopularity } from '~/server/domain/products/discovering';
import {
  completeConversion,
  dealWithSharing,
  findShared,
  learnSearchWords,
  pingHub,
  recoverConversions,
  refreshPopular,
  sendFollowLink,
} from '../catalog';
import { handle } from './handle';

export const productHandlers = [
  handle(sendFollowLink, (payload, ctx) => queueFollowLink(ctx, payload)),
  handle(pingHub, (payload, ctx) => announceFeed(ctx, payload)),
  handle(findShared, (_, ctx) => findSharedFeeds(ctx)),
  handle(dealWithSharing, (payload, ctx) => dealWithSharedFeed(ctx, payload)),
  handle(completeConversion, (payload, ctx) => completeFreeConversion(ctx, payload)),
  handle(recoverConversions, (_, ctx) => recoverFreeConversions(ctx)),
  handle(learnSearchWords, (_, ctx) => learnWords(ctx)),
  handle(refreshPopular, (_, ctx) => refreshPopularity(ctx)),
];
