import { updateCreator } from '~/server/domain/creators/schema';
import { creatorPage, creatorPreview } from '~/server/domain/pages/creator-page';
import { discoverPage, discoverPassages } from '~/server/domain/pages/discover-page';
import { embeddedEpisode, embeddedProduct } from '~/server/domain/pages/embed';
import { episodePage } from '~/server/domain/pages/episode-page';
import { episodePreview } from '~/server/domain/pages/episode-preview';
import { estimateEarnings } from '~/server/domain/pages/estimate-earnings';
import { homePage } from '~/server/domain/pages/home-page';
import { productPage } from '~/server/domain/pages/product-page';
import { publicAddress } from '~/server/domain/pages/public-address';
import * as schema from '~/server/domain/pages/schema';
import { sitePicture } from '~/server/domain/pages/site-picture';
import { soundbitePage } from '~/server/domain/pages/soundbite-page';
import { discoverProducts } from '~/server/domain/products/schema';
import { creatorProcedure, publicProcedure, router } from '../init';

export const pagesRouter = router({
  home: publicProcedure.meta({ openTo: 'everyone' }).query(({ ctx }) => homePage(ctx)),
  creator: publicProcedure.input(schema.creatorPageInput).query(({ ctx, input }) => creatorPage(ctx, input)),
  creatorPreview: creatorProcedure.input(updateCreator).query(({ ctx, input }) => creatorPreview(ctx, input)),
  discover: publicProcedure
    .meta({ openTo: 'everyone' })
    .input(discoverProducts)
    .query(({ ctx, input }) => discoverPage(ctx, input)),
  discoverPassages: publicProcedure
    .meta({ openTo: 'everyone' })
    .input(schema.discoverPassagesInput)
    .query(({ ctx, input }) => discoverPassages(ctx, input)),
  earnings: publicProcedure
    .meta({ openTo: 'everyone' })
    .input(schema.earningsInput)
    .query(({ ctx, input }) => estimateEarnings(ctx, input)),
  product: publicProcedure.input(schema.productPageInput).query(({ ctx, input }) => productPage(ctx, input)),
  address: publicProcedure.input(schema.publicAddressInput).query(({ ctx, input }) => publicAddress(ctx, input)),
  episode: publicProcedure.input(schema.episodePageInput).query(({ ctx, input }) => episodePage(ctx, input)),
  sitePicture: publicProcedure
    .meta({ openTo: 'everyone' })
    .input(schema.sitePictureInput)
    .query(({ ctx, input }) => sitePicture(ctx, input)),
  soundbite: publicProcedure.input(schema.soundbitePageInput).query(({ ctx, input }) => soundbitePage(ctx, input)),
  embeddedEpisode: publicProcedure.input(schema.embedInput).query(({ ctx, input }) => embeddedEpisode(ctx, input)),
  embeddedProduct: publicProcedure.input(schema.embedInput).query(({ ctx, input }) => embeddedProduct(ctx, input)),
  preview: publicProcedure.input(schema.episodePreviewInput).query(({ ctx, input }) => episodePreview(ctx, input)),
});
