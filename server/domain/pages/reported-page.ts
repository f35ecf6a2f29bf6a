import type { Ctx } from '../../runtime/ctx';
import { assertCanSee } from '../episodes/episode-catalog';
import { type EpisodeRecord, findEpisodeRecord } from '../episodes/queries';
import { assertProductShown } from '../products/archive-product';
import { findProductRecord, type ProductRecord } from '../products/queries';
import { assertNotTakenDown, findCreatorPage, findEpisodePage, findProductPage } from './find-page';
import type { ReportedPageInput } from './schema';

/** The subject of a public page, and the page's current address. */
export type Reported = {
  /** Operators' name for it: `episode/12`. */
  target: string;
  creatorId: number;
  productId: number | null;
  episodeId: number | null;
  name: string;
  url: string;
};

/**
 * @throws creator.not_found, creator.deleted, product.not_found, episode.not_found (also if the caller may not see it),
 * page.taken_down
 */
export async function reportedPage(ctx: Ctx, page: ReportedPageInput): Promise<Reported> {
  if ('id' in page) return page.type === 'episode' ? episodeOf(ctx, page.id) : productOf(ctx, page.id);
  const { domain, slug, episodeSlug } = page;
  if (slug === undefined) {
    const { creator } = await findCreatorPage(ctx, { domain });
    const url = ctx.urls.creator(creator.domain);
    return { ...NOTHING, target: `creator/${creator.id}`, creatorId: creator.id, name: creator.name, url };
  }
  if (episodeSlug === undefined) return ofProduct(ctx, (await findProductPage(ctx, { domain, slug })).product);
  const { product, episode } = await findEpisodePage(ctx, { domain, slug, episodeSlug });
  assertNotTakenDown(ctx, product.product, episode);
  return ofEpisode(ctx, episode);
}

const NOTHING = { productId: null, episodeId: null };

const productOf = async (ctx: Ctx, id: number) => ofProduct(ctx, await findProductRecord(ctx, id));

async function ofProduct(ctx: Ctx, { product, creator }: ProductRecord): Promise<Reported> {
  assertNotTakenDown(ctx, product);
  await assertProductShown(ctx, product);
  const url = ctx.urls.product(creator.domain, product.slug);
  const ids = { creatorId: creator.id, productId: product.id, episodeId: null };
  return { target: `show/${product.id}`, ...ids, name: product.name, url };
}

const episodeOf = async (ctx: Ctx, id: number) => ofEpisode(ctx, await findEpisodeRecord(ctx, id));

async function ofEpisode(ctx: Ctx, record: EpisodeRecord): Promise<Reported> {
  assertCanSee(ctx, record);
  const { episode, product, creator } = record;
  const url = ctx.urls.episode(creator.domain, product.slug, episode.slug);
  const ids = { creatorId: creator.id, productId: product.id, episodeId: episode.id };
  return { target: `episode/${episode.id}`, ...ids, name: episode.name, url };
}
