import { and, asc, eq, exists, gt, isNull, lt, sql } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { episodeTotals } from '~/db/schema/listening';
import { products } from '~/db/schema/products';
import { webhookEndpoints, webhookMilestones } from '~/db/schema/webhooks';
import { MILESTONE_LIMITS } from '../../limits/webhooks';
import { countMilestones as countJob } from '../../queue/jobs/webhooks';
import { type Ctx, transact } from '../../runtime/ctx';
import { milestoneOf } from './rules';

/**
 * Stores the last milestone of each show whose creator has an endpoint, some shows at a time. A trigger makes an event of
 * a higher one. The first row of a show has none: what was reached before the endpoint was there is no news.
 */
export async function countMilestones(ctx: Ctx, { after = 0 }: { after?: number }): Promise<void> {
  const counted = await listCounted(ctx, after);
  if (counted.length === 0) return;
  const rows = counted.map(({ downloads, ...row }) => ({ ...row, reached: milestoneOf(downloads) }));
  await transact(ctx, async (tx) => {
    await tx.db
      .insert(webhookMilestones)
      .values(rows)
      .onConflictDoUpdate({
        target: webhookMilestones.productId,
        set: { reached: sql`excluded.reached` },
        setWhere: lt(webhookMilestones.reached, sql`excluded.reached`),
      });
    if (rows.length === MILESTONE_LIMITS.atOnce)
      await tx.jobs.enqueue(countJob, { after: rows[rows.length - 1]!.productId });
  });
}

function listCounted({ db }: Ctx, after: number) {
  const isWatched = exists(
    db
      .select({ one: sql`1` })
      .from(webhookEndpoints)
      .where(and(eq(webhookEndpoints.creatorId, products.creatorId), isNull(webhookEndpoints.disabledAt))),
  );
  return db
    .select({
      productId: products.id,
      creatorId: products.creatorId,
      downloads: sql<number>`coalesce(sum(${episodeTotals.downloads}), 0)::float8`,
    })
    .from(products)
    .leftJoin(episodes, eq(episodes.productId, products.id))
    .leftJoin(episodeTotals, eq(episodeTotals.episodeId, episodes.id))
    .where(and(gt(products.id, after), isNull(products.retiredAt), isWatched))
    .groupBy(products.id)
    .orderBy(asc(products.id))
    .limit(MILESTONE_LIMITS.atOnce);
}
