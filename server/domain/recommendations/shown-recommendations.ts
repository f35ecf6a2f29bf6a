import { and, asc, eq, gte, isNull, or, sql } from 'drizzle-orm';
import { type Inputs, preparedSelect } from '~/db/driver/prepared-select';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { recommendations } from '~/db/schema/recommendations';
import { recommendedPath } from '../../base/public-paths';
import { visitToken } from '../../base/recommended-visits';
import { SHOW_RECOMMENDATION_LIMITS } from '../../limits/recommendations';
import { whereProductPublic } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { type CoverUrls, coverUrls } from '../media/rules';
import { whereMayPublish } from './queries';

/** A show that another one names on its page and in its feed. */
export type ShownRecommendation = {
  id: number;
  product: { id: number; name: string; language: string; cover: CoverUrls; feedGuid: string };
  creator: { id: number; name: string };
  feedUrl: string;
};

const selectShown = preparedSelect((db, { productId, now }: Inputs<{ productId: number; now: string }>) => {
  const { lastDay } = recommendations;
  // the review ends it after the day in the creator's time zone
  const yesterday = sql`(${now}::timestamptz - interval '1 day')::date`;
  return db
    .select({ id: recommendations.id, product: products, creator: creators })
    .from(recommendations)
    .innerJoin(products, eq(products.id, recommendations.recommendedId))
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .where(
      and(
        eq(recommendations.productId, productId),
        eq(recommendations.status, 'accepted'),
        or(isNull(lastDay), gte(lastDay, yesterday)),
        whereProductPublic(),
        whereMayPublish(),
      ),
    )
    .orderBy(asc(recommendations.id))
    .limit(SHOW_RECOMMENDATION_LIMITS.shown);
});

/** What a show recommends now, in the order in which it was agreed on. */
export async function listShown(
  { db, urls, now }: Pick<Ctx, 'db' | 'urls' | 'now'>,
  productId: number,
): Promise<ShownRecommendation[]> {
  const rows = await selectShown(db, { productId, now: now().toISOString() });
  return rows.map(({ id, product, creator }) => ({
    id,
    product: {
      ...{ id: product.id, name: product.name, language: product.language },
      ...{ cover: coverUrls(product.coverKey), feedGuid: product.feedGuid },
    },
    creator: { id: creator.id, name: creator.name },
    feedUrl: urls.feed(creator.domain, product.slug),
  }));
}

/** The address that counts a visit and leads to the page of the recommended show. */
export const visitUrlOf = (
  { urls, vault }: Pick<Ctx, 'urls' | 'vault'>,
  { id }: Pick<ShownRecommendation, 'id'>,
): string => urls.app(recommendedPath(visitToken(vault, id)));
