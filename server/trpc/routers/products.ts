import * as conversion from '~/server/domain/access/free-conversion';
import { askForUnused, findUnused } from '~/server/domain/billing/refunds/unused-payments';
import { getProductWithFeed } from '~/server/domain/feeds/private-links';
import { archiveProduct, unarchiveProduct } from '~/server/domain/products/archive-product';
import * as drafting from '~/server/domain/products/draft-product';
import { confirmFeedOwner, feedOwnerLink, resendOwnerEmail } from '~/server/domain/products/feed-owner';
import { seeFirstPublish } from '~/server/domain/products/first-publish';
import { updateListings } from '~/server/domain/products/listings';
import { getOwnProduct, listOwnProducts } from '~/server/domain/products/product-catalog';
import { slugAvailability } from '~/server/domain/products/product-slugs';
import { retireProduct } from '~/server/domain/products/retire-product';
import * as schema from '~/server/domain/products/schema';
import { creatorProcedure, publicProcedure, router, userProcedure } from '../init';

export const productsRouter = router({
  create: creatorProcedure.input(schema.createProduct).mutation(({ ctx, input }) => drafting.createProduct(ctx, input)),
  update: creatorProcedure.input(schema.updateProduct).mutation(({ ctx, input }) => drafting.updateProduct(ctx, input)),
  archive: creatorProcedure.input(schema.findProduct).mutation(({ ctx, input }) => archiveProduct(ctx, input)),
  unarchive: creatorProcedure.input(schema.findProduct).mutation(({ ctx, input }) => unarchiveProduct(ctx, input)),
  freeConversion: creatorProcedure
    .input(schema.findProduct)
    .query(({ ctx, input }) => conversion.freeConversionState(ctx, input)),
  unusedPayments: creatorProcedure.input(schema.findProduct).query(({ ctx, input }) => findUnused(ctx, input)),
  askForUnused: creatorProcedure.input(schema.findProduct).mutation(({ ctx, input }) => askForUnused(ctx, input)),
  startFreeConversion: creatorProcedure
    .input(schema.startFreeConversion)
    .mutation(({ ctx, input }) => conversion.startFreeConversion(ctx, input)),
  callOffFreeConversion: creatorProcedure
    .input(schema.findProduct)
    .mutation(({ ctx, input }) => conversion.callOffFreeConversion(ctx, input)),
  retire: creatorProcedure.input(schema.deleteProduct).mutation(({ ctx, input }) => retireProduct(ctx, input)),
  updateListings: creatorProcedure
    .input(schema.updateListings)
    .mutation(({ ctx, input }) => updateListings(ctx, input)),
  seeFirstPublish: creatorProcedure.input(schema.findProduct).mutation(({ ctx, input }) => seeFirstPublish(ctx, input)),
  resendOwnerEmail: creatorProcedure
    .input(schema.findProduct)
    .mutation(({ ctx, input }) => resendOwnerEmail(ctx, input)),
  feedOwnerLink: publicProcedure
    .meta({ openTo: 'everyone' })
    .input(schema.feedOwnerLink)
    .query(({ ctx, input }) => feedOwnerLink(ctx, input)),
  confirmFeedOwner: publicProcedure
    .meta({ openTo: 'everyone' })
    .input(schema.feedOwnerLink)
    .mutation(({ ctx, input }) => confirmFeedOwner(ctx, input)),
  get: publicProcedure.input(schema.findProduct).query(({ ctx, input }) => getProductWithFeed(ctx, input)),
  forEditing: creatorProcedure.input(schema.findProduct).query(({ ctx, input }) => getOwnProduct(ctx, input)),
  list: userProcedure.input(schema.listProducts).query(({ ctx, input }) => listOwnProducts(ctx, input)),
  slugAvailability: creatorProcedure.input(schema.checkSlug).query(({ ctx, input }) => slugAvailability(ctx, input)),
});
