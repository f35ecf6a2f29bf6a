import { and, desc, eq, exists, gte, ilike, inArray, lt, ne, not, or, type SQL, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { productSearch } from '~/db/schema/discovery';
import { promos } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { recommendationBlocks, recommendations } from '~/db/schema/recommendations';
import { patternOf } from '~/db/search';
import { dayIn } from '../../base/time';
import { categoriesBelow } from '../../feed/apple-categories';
import { SHOW_RECOMMENDATION_LIMITS } from '../../limits/recommendations';
import { authorize } from '../../policy/authorize';
import { whereDiscoverable, whereListed } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { findCreator } from '../creators/queries';
import { type CoverUrls, coverUrls } from '../media/rules';
import { findProductRecord } from '../products/queries';
import { isOpenRecommendation, whereMayPublish } from './queries';
import { type AudienceStep, audienceStepOf, playsOf } from './rules';
import type { FindShows } from './schema';

/** A show that can be recommended. `audience`: a coarse step, because exact figures belong to its creator. */
export type RecommendableShow = {
  id: number;
  name: string;
  description: string;
  language: string;
  category: number;
  audience: AudienceStep;
  cover: CoverUrls;
  url: string;
  creator: { id: number; name: string };
  promo: { episodeId: number; episode: string; url: string; durationSeconds: number };
};

/** `today`: in the creator's time zone, in which a request has its days. */
export type RecommendableShows = { today: string; items: RecommendableShow[] };

/**
 * Public shows of other creators that offer a promo, those with the most plays first. Without those that the given show
 * recommends or has asked for, and those whose creators accept no requests of this one.
 * @throws product.not_found
 */
export async function findShows(ctx: Ctx, input: FindShows): Promise<RecommendableShows> {
  const { product } = await findProductRecord(ctx, input.productId);
  const { creatorId } = authorize(ctx, 'product.manage', product);
  const promo = newestPromo(ctx);
  const rows = await ctx.db
    .select({ product: products, creator: creators, plays: productSearch.popularity, promo: PROMO_COLUMNS(promo) })
    .from(productSearch)
    .innerJoin(products, eq(products.id, productSearch.productId))
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .innerJoinLateral(promo, sql`true`)
    .where(
      and(
        inArray(productSearch.productId, withPromos(ctx)),
        ...filters(input),
        whereDiscoverable(),
        whereMayPublish(),
        ne(products.creatorId, creatorId),
        not(exists(blocks(ctx, creatorId))),
        not(exists(openOnes(ctx, input.productId))),
      ),
    )
    .orderBy(desc(productSearch.popularity), desc(products.id))
    .limit(SHOW_RECOMMENDATION_LIMITS.found);
  const { timeZone } = await findCreator(ctx, creatorId);
  return { today: dayIn(ctx.now(), timeZone), items: rows.map((row) => toRecommendable(ctx, row)) };
}

/** Few shows have one, so a search reads these and no others. */
const withPromos = ({ db }: Pick<Ctx, 'db'>) =>
  db.selectDistinct({ id: episodes.productId }).from(promos).innerJoin(episodes, eq(episodes.id, promos.episodeId));

const newestPromo = ({ db }: Pick<Ctx, 'db'>) =>
  db
    .select({
      episodeId: promos.episodeId,
      audioKey: promos.audioKey,
      durationMs: promos.durationMs,
      episode: sql<string>`${episodes.name}`.as('episode'),
    })
    .from(promos)
    .innerJoin(episodes, eq(episodes.id, promos.episodeId))
    .where(and(eq(episodes.productId, products.id), whereListed()))
    .orderBy(desc(promos.createdAt), desc(promos.episodeId))
    .limit(1)
    .as('newest_promo');

const PROMO_COLUMNS = ({ episodeId, audioKey, durationMs, episode }: ReturnType<typeof newestPromo>) => ({
  episodeId,
  audioKey,
  durationMs,
  episode,
});

function filters({ id, search, language, category, size }: FindShows): (SQL | undefined)[] {
  const pattern = patternOf(search);
  const [from, below] = size === undefined ? [0, null] : playsOf(size);
  return [
    id === undefined ? undefined : eq(products.id, id),
    pattern === undefined ? undefined : or(ilike(products.name, pattern), ilike(creators.name, pattern)),
    language === undefined ? undefined : eq(productSearch.language, language.split('-')[0]!.toLowerCase()),
    category === undefined ? undefined : inArray(productSearch.category, categoriesBelow(category)),
    size === undefined ? undefined : gte(productSearch.popularity, from),
    below === null ? undefined : lt(productSearch.popularity, below),
  ];
}

/** In both directions: nobody needs to see those whose requests they refuse. */
function blocks({ db }: Pick<Ctx, 'db'>, creatorId: number) {
  const { creatorId: by, blockedId } = recommendationBlocks;
  const theirs = and(eq(by, products.creatorId), or(sql`${blockedId} is null`, eq(blockedId, creatorId)));
  const own = and(eq(by, creatorId), eq(blockedId, products.creatorId));
  return db.select({ id: recommendationBlocks.id }).from(recommendationBlocks).where(or(theirs, own));
}

function openOnes({ db }: Pick<Ctx, 'db'>, productId: number) {
  const { productId: by, recommendedId } = recommendations;
  const isIt = and(eq(by, productId), eq(recommendedId, products.id), isOpenRecommendation());
  return db.select({ id: recommendations.id }).from(recommendations).where(isIt);
}

type Found = {
  product: typeof products.$inferSelect;
  creator: typeof creators.$inferSelect;
  plays: number;
  promo: { episodeId: number; audioKey: string; durationMs: number; episode: string };
};

function toRecommendable({ urls }: Pick<Ctx, 'urls'>, { product, creator, plays, promo }: Found): RecommendableShow {
  const { id, name, description, language, category, coverKey, slug } = product;
  return {
    ...{ id, name, description, language, category },
    audience: audienceStepOf(plays),
    cover: coverUrls(coverKey),
    url: urls.product(creator.domain, slug),
    creator: { id: creator.id, name: creator.name },
    promo: {
      episodeId: promo.episodeId,
      episode: promo.episode,
      url: urls.promo(promo.episodeId, promo.audioKey),
      durationSeconds: Math.round(promo.durationMs / 1000),
    },
  };
}
