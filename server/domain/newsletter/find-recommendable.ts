import { and, asc, eq, isNull, like, ne, or, type SQL, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { newsletterRecommendations, newsletters } from '~/db/schema/newsletter';
import { RECOMMENDATION_LIMITS } from '../../limits/newsletter';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { isRecommendable, RECOMMENDED, type RecommendedNewsletter, toRecommended } from './recommended-newsletters';
import type { FindRecommendable } from './schema';

/**
 * Newsletters that the creator may recommend and does not yet: by the address of a creator's page, or by how the name of
 * the creator or of their page begins.
 */
export async function findRecommendable(ctx: Ctx, { search }: FindRecommendable): Promise<RecommendedNewsletter[]> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  const isKnown = and(
    eq(newsletterRecommendations.creatorId, creatorId),
    eq(newsletterRecommendations.recommendedId, creators.id),
  );
  const rows = await ctx.db
    .select(RECOMMENDED)
    .from(creators)
    .innerJoin(newsletters, eq(newsletters.creatorId, creators.id))
    .leftJoin(newsletterRecommendations, isKnown)
    .where(
      and(
        isFound(ctx, search),
        isRecommendable(),
        ne(creators.id, creatorId),
        isNull(newsletterRecommendations.creatorId),
      ),
    )
    .orderBy(asc(creators.name), asc(creators.id))
    .limit(RECOMMENDATION_LIMITS.found);
  return rows.map((row) => toRecommended(ctx, row));
}

/** Each condition has an index. */
function isFound({ urls }: Ctx, search: string): SQL | undefined {
  const domain = urls.domainIn(search);
  if (domain !== null) return eq(creators.domain, domain);
  const start = `${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return or(like(sql`lower(${creators.name})`, start), like(creators.domain, start));
}
