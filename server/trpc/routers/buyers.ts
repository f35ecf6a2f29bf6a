import * as schema from '~/server/domain/billing/base/schema';
import { exportBuyers, findBuyer, listBuyers } from '~/server/domain/billing/buyers/buyers';
import { inviteBatch } from '~/server/domain/billing/buyers/invite-batch';
import { inviteBuyer } from '~/server/domain/billing/buyers/invite-buyers';
import { messageBuyer } from '~/server/domain/billing/buyers/message-buyer';
import { noteBuyer } from '~/server/domain/billing/buyers/note-buyer';
import { removeBatch } from '~/server/domain/billing/buyers/remove-batch';
import { removeBuyer } from '~/server/domain/billing/buyers/remove-buyer';
import { revenueOfShow } from '~/server/domain/billing/buyers/show-revenue';
import { allowMessages, findSender, listStopped, stopMessages } from '~/server/domain/billing/buyers/stop-messages';
import { refundSale } from '~/server/domain/billing/refunds/refund-sale';
import {
  createSubscriberFeed,
  findSubscriberFeed,
  replaceSubscriberFeed,
  revokeSubscriberFeed,
} from '~/server/domain/feeds/subscriber-feed';
import { findProduct } from '~/server/domain/products/schema';
import { currentCreator } from '~/server/policy/actor';
import {
  creatorProcedure,
  limited,
  limitedBy,
  limitedCreator,
  limitedForCreator,
  limitedUser,
  router,
  userProcedure,
} from '../init';

/** Another creator's calls, which fail, must not use up the number. */
const limitedReplacement = limitedBy(
  'replaceSubscriberFeed',
  ({ id, userId }: schema.FindBuyer, ctx) => `${currentCreator(ctx).id} ${id} ${userId}`,
);

/** Subscribers and customers of a show. */
export const buyersRouter = router({
  list: creatorProcedure.input(schema.listBuyers).query(({ ctx, input }) => listBuyers(ctx, input)),
  export: creatorProcedure.input(schema.exportBuyers).query(({ ctx, input }) => exportBuyers(ctx, input)),
  get: creatorProcedure.input(schema.findBuyer).query(({ ctx, input }) => findBuyer(ctx, input)),
  revenue: creatorProcedure.input(findProduct).query(({ ctx, input }) => revenueOfShow(ctx, input)),
  note: creatorProcedure.input(schema.noteBuyer).mutation(({ ctx, input }) => noteBuyer(ctx, input)),
  message: limitedUser('publicWrite')
    .input(schema.messageBuyer)
    .mutation(({ ctx, input }) => messageBuyer(ctx, input)),
  refund: limitedCreator('payments')
    .input(schema.refundSale)
    .mutation(({ ctx, input }) => refundSale(ctx, input)),
  remove: limitedCreator('payments')
    .input(schema.findBuyer)
    .mutation(({ ctx, input }) => removeBuyer(ctx, input)),
  invite: limitedUser('publicWrite')
    .input(schema.inviteBuyer)
    .mutation(({ ctx, input }) => inviteBuyer(ctx, input)),
  inviteBatch: limitedForCreator('subscriberBatch')
    .input(schema.changeBatch)
    .mutation(({ ctx, input }) => inviteBatch(ctx, input)),
  removeBatch: limitedForCreator('subscriberBatch')
    .input(schema.changeBatch)
    .mutation(({ ctx, input }) => removeBatch(ctx, input)),
  feed: creatorProcedure.input(schema.findBuyer).query(({ ctx, input }) => findSubscriberFeed(ctx, input)),
  createFeed: limitedForCreator('subscriberFeed')
    .input(schema.findBuyer)
    .mutation(({ ctx, input }) => createSubscriberFeed(ctx, input)),
  replaceFeed: limitedForCreator('subscriberFeed')
    .input(schema.findBuyer)
    .use(limitedReplacement)
    .mutation(({ ctx, input }) => replaceSubscriberFeed(ctx, input)),
  revokeFeed: limitedForCreator('subscriberFeed')
    .input(schema.findBuyer)
    .mutation(({ ctx, input }) => revokeSubscriberFeed(ctx, input)),
  /** The link of a message, and the list of those who may not write: for the people who get messages. */
  sender: limited('publicWrite')
    .meta({ openTo: 'everyone' })
    .input(schema.messagesLink)
    .query(({ ctx, input }) => findSender(ctx, input)),
  stopMessages: limited('publicWrite')
    .meta({ openTo: 'everyone' })
    .input(schema.messagesLink)
    .mutation(({ ctx, input }) => stopMessages(ctx, input)),
  stopped: userProcedure.query(({ ctx }) => listStopped(ctx)),
  allowMessages: userProcedure.input(schema.allowMessages).mutation(({ ctx, input }) => allowMessages(ctx, input)),
});
