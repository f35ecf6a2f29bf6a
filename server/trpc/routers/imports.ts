import { answerImport, cancelImport, openConfirmation, proveByFeed } from '~/server/domain/rss-import/answer-import';
import { acknowledgeImport, markImportedPrivate } from '~/server/domain/rss-import/complete-import';
import { followOldFeed, getOldFeed, hasOldFeed } from '~/server/domain/rss-import/old-feeds';
import { checkOldFeed } from '~/server/domain/rss-import/poll-old-feed';
import { openShowPreview, previewShow } from '~/server/domain/rss-import/preview-show';
import { getImport, latestImport, listImportItems } from '~/server/domain/rss-import/queries';
import { previewFeed, requestImport } from '~/server/domain/rss-import/request-feed-import';
import { hostOfFeed } from '~/server/domain/rss-import/rules';
import * as schema from '~/server/domain/rss-import/schema';
import { creatorProcedure, limited, limitedBy, limitedUser, router } from '../init';

/** Imports of other hosts' feeds. */
export const importsRouter = router({
  preview: limitedUser('fetchFeed')
    .input(schema.previewFeed)
    .mutation(({ ctx, input }) => previewFeed(ctx, input)),
  request: limitedUser('fetchFeed')
    .input(schema.requestImport)
    .mutation(({ ctx, input }) => requestImport(ctx, input)),
  proveByFeed: limitedUser('fetchFeed')
    .input(schema.findImport)
    .mutation(({ ctx, input }) => proveByFeed(ctx, input)),
  /** The show of a feed as its page here, for visitors without an account. */
  previewShow: limited('previewFeed')
    .input(schema.previewFeed)
    .use(limitedBy('previewFeedAll', () => 'all'))
    .use(limitedBy('previewFeedHost', ({ url }: schema.PreviewFeed) => `host:${hostOfFeed(url)}`))
    .mutation(({ ctx, input }) => previewShow(ctx, input)),
  openShowPreview: limited('openFeedPreview')
    .meta({ openTo: 'everyone' })
    .input(schema.openShowPreview)
    .query(({ ctx, input }) => openShowPreview(ctx, input)),
  latest: creatorProcedure.meta({ openTo: 'product.read' }).query(({ ctx }) => latestImport(ctx)),
  get: creatorProcedure.input(schema.findImport).query(({ ctx, input }) => getImport(ctx, input)),
  items: creatorProcedure.input(schema.listItems).query(({ ctx, input }) => listImportItems(ctx, input)),
  cancel: creatorProcedure.input(schema.findImport).mutation(({ ctx, input }) => cancelImport(ctx, input)),
  /** The link of the email to the feed's owner, who need not have an account. */
  confirmation: limited('verifyEmail')
    .meta({ openTo: 'everyone' })
    .input(schema.importLink)
    .query(({ ctx, input }) => openConfirmation(ctx, input)),
  answer: limited('verifyEmail')
    .input(schema.answerImport)
    .mutation(({ ctx, input }) => answerImport(ctx, input)),
  acknowledge: creatorProcedure.input(schema.findImport).mutation(({ ctx, input }) => acknowledgeImport(ctx, input)),
  oldFeed: creatorProcedure.input(schema.findOldFeed).query(({ ctx, input }) => getOldFeed(ctx, input)),
  hasOldFeed: creatorProcedure.input(schema.findOldFeed).query(({ ctx, input }) => hasOldFeed(ctx, input)),
  followOldFeed: creatorProcedure.input(schema.followOldFeed).mutation(({ ctx, input }) => followOldFeed(ctx, input)),
  checkOldFeed: limitedUser('fetchFeed')
    .input(schema.findOldFeed)
    .mutation(({ ctx, input }) => checkOldFeed(ctx, input)),
  markPrivate: creatorProcedure.input(schema.findImport).mutation(({ ctx, input }) => markImportedPrivate(ctx, input)),
});
