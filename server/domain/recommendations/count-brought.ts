import { and, eq, inArray, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { recommendationDays, recommendations } from '~/db/schema/recommendations';
import { classifyAgent } from '../../agents/classify';
import { productPath } from '../../base/public-paths';
import { recommendationOf } from '../../base/recommended-visits';
import { utcDay } from '../../base/time';
import { whereProductPublic } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { linkInvalid, recommendationNotFound } from './errors';
import type { VisitRecommended } from './schema';

/**
 * Follows the link of a recommendation to the recommended show. A browser counts once as long as it remembers the link;
 * bots and tools such as curl don't count. Nothing about the visitor is stored. @returns the address of the show
 * @throws recommendation.link_invalid for a token that we have not made; recommendation.not_found if the show is not public
 */
export async function visitRecommended(ctx: Ctx, { token }: VisitRecommended): Promise<{ url: string }> {
  const id = recommendationOf(ctx.vault, token);
  if (id === null) throw linkInvalid();
  const [found] = await ctx.db
    .select({ status: recommendations.status, slug: products.slug, domain: creators.domain })
    .from(recommendations)
    .innerJoin(products, eq(products.id, recommendations.recommendedId))
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .where(and(eq(recommendations.id, id), whereProductPublic()));
  if (!found) throw recommendationNotFound();
  const isBrowser = classifyAgent(ctx.client.userAgent).kind === 'browser';
  if (found.status === 'accepted' && isBrowser) {
    if (ctx.client.recommendationId !== id) await addToDay(ctx, id, 'visits');
    await ctx.sessions.remember({ recommendation: token });
  }
  return { url: ctx.urls.creator(found.domain, productPath(found.slug), ctx.language) };
}

type Brought = { recommendationId: number; productId: number; as: 'follows' | 'subscriptions' };

/** Counts a visitor who now follows the recommended show or pays for it, also after the recommendation has ended. */
export async function countBrought(ctx: Ctx, { recommendationId, productId, as }: Brought): Promise<void> {
  const isIts = and(
    eq(recommendations.id, recommendationId),
    eq(recommendations.recommendedId, productId),
    inArray(recommendations.status, ['accepted', 'ended']),
  );
  if ((await ctx.db.$count(recommendations, isIts)) > 0) await addToDay(ctx, recommendationId, as);
}

async function addToDay(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  recommendationId: number,
  figure: 'visits' | 'follows' | 'subscriptions',
): Promise<void> {
  const { recommendationId: of, day } = recommendationDays;
  await db
    .insert(recommendationDays)
    .values({ recommendationId, day: utcDay(now()), [figure]: 1 })
    .onConflictDoUpdate({ target: [of, day], set: { [figure]: sql`${recommendationDays[figure]} + 1` } });
}
