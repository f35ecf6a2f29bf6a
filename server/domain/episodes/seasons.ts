import { and, asc, eq, isNotNull } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { whereListed } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';

/** The seasons of a product's listed episodes, the first one first. */
export async function listSeasons(ctx: Pick<Ctx, 'db'>, productId: number): Promise<number[]> {
  const rows = await ctx.db
    .selectDistinct({ season: episodes.season })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .where(and(eq(episodes.productId, productId), whereListed(), isNotNull(episodes.season)))
    .orderBy(asc(episodes.season))
    .limit(EPISODE_LIMITS.seasonsShown);
  return rows.flatMap(({ season }) => season ?? []);
}
