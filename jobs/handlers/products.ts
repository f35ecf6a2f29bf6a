import { completeFreeConversion, recoverFreeConversions } from '~/server/domain/access/free-conversion';
import { announceFeed, podpingFeed } from '~/server/domain/feeds/hub-pings';
import { queueFollowLink } from '~/server/domain/feeds/request-follow';
import { dealWithSharedFeed, findSharedFeeds } from '~/server/domain/feeds/shared-feeds';
import { learnWords } from '~/server/domain/products/correct-words';
import { refreshPopularity } from '~/server/domain/products/discover-products';
import {
  dealWithSharing,
  findShared,
  pingHub,
  podpingFeed as podpingJob,
  sendFollowLink,
} from '~/server/queue/jobs/feeds';
import { completeConversion, learnSearchWords, recoverConversions, refreshPopular } from '~/server/queue/jobs/products';
import { handle } from './handle';

export const productHandlers = [
  handle(sendFollowLink, (payload, ctx) => queueFollowLink(ctx, payload)),
  handle(pingHub, (payload, ctx) => announceFeed(ctx, payload)),
  handle(podpingJob, (payload, ctx) => podpingFeed(ctx, payload)),
  handle(findShared, (_, ctx) => findSharedFeeds(ctx)),
  handle(dealWithSharing, (payload, ctx) => dealWithSharedFeed(ctx, payload)),
  handle(completeConversion, (payload, ctx) => completeFreeConversion(ctx, payload)),
  handle(recoverConversions, (_, ctx) => recoverFreeConversions(ctx)),
  handle(learnSearchWords, (_, ctx) => learnWords(ctx)),
  handle(refreshPopular, (_, ctx) => refreshPopularity(ctx)),
];
