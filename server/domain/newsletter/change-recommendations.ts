import { and, eq } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { newsletterRecommendations, newsletters } from '~/db/schema/newsletter';
import { RECOMMENDATION_LIMITS } from '../../limits/newsletter';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { lockCreator } from '../creators/queries';
import { recordActivity } from '../team/activity';
import { newsletterNotRecommendable, ownNewsletter, tooManyRecommendations } from './errors';
import { isRecommendable } from './recommended-newsletters';
import type { ChangeRecommendation } from './schema';

/**
 * Offers another creator's newsletter to people who have just confirmed this one. Repeating it is harmless.
 * @throws newsletter.own_newsletter, newsletter.not_recommendable, newsletter.too_many_recommendations,
 * common.role_not_allowed
 */
export async function recommendNewsletter(ctx: Ctx, { creatorId: recommendedId }: ChangeRecommendation): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  if (recommendedId === creatorId) throw ownNewsletter();
  await transact(ctx, async (tx) => {
    await lockCreator(tx, creatorId);
    const name = await findRecommendable(tx, recommendedId);
    const row = { creatorId, recommendedId, createdAt: tx.now() };
    const added = await tx.db.insert(newsletterRecommendations).values(row).onConflictDoNothing().returning();
    if (added.length === 0) return;
    const own = eq(newsletterRecommendations.creatorId, creatorId);
    const count = RECOMMENDATION_LIMITS.newsletters;
    if ((await tx.db.$count(newsletterRecommendations, own)) > count) throw tooManyRecommendations({ count });
    await recordActivity(tx, { creatorId, action: 'newsletter.recommended', params: { name } });
  });
}

async function findRecommendable({ db }: TxCtx, id: number): Promise<string> {
  const [row] = await db
    .select({ name: newsletters.name })
    .from(creators)
    .innerJoin(newsletters, eq(newsletters.creatorId, creators.id))
    .where(and(eq(creators.id, id), isRecommendable()));
  if (!row) throw newsletterNotRecommendable();
  return row.name;
}

/** Repeating it is harmless. @throws common.role_not_allowed */
export async function endRecommendation(ctx: Ctx, { creatorId: recommendedId }: ChangeRecommendation): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    const isIt = and(
      eq(newsletterRecommendations.creatorId, creatorId),
      eq(newsletterRecommendations.recommendedId, recommendedId),
    );
    const removed = await tx.db.delete(newsletterRecommendations).where(isIt).returning();
    if (removed.length === 0) return;
    const [creator] = await tx.db.select({ name: creators.name }).from(creators).where(eq(creators.id, recommendedId));
    const params = { name: creator?.name ?? '' };
    await recordActivity(tx, { creatorId, action: 'newsletter.recommendation_ended', params });
  });
}
