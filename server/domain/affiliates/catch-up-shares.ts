import { and, asc, eq, gt, gte } from 'drizzle-orm';
import { referrals } from '~/db/schema/affiliates';
import { sales } from '~/db/schema/billing';
import { creators } from '~/db/schema/creators';
import { ledgerEntries } from '~/db/schema/ledger';
import { earlier } from '../../base/time';
import { AFFILIATE_LIMITS } from '../../limits/affiliates';
import { catchUpAffiliates, settleAffiliate } from '../../queue/jobs/affiliates';
import { type Ctx, transact } from '../../runtime/ctx';

const { caughtUp, atOnce } = AFFILIATE_LIMITS;

/**
 * Enqueues the job of each payment for a plan with an entry of the last days whose creator a link has brought: a job may
 * have failed for good, and during an update the former release enqueues none. Repeating it is harmless.
 * @param after the last sale of the part before
 */
export async function catchUpShares(ctx: Ctx, { after = 0 }: { after?: number }): Promise<void> {
  const isRecent = gte(ledgerEntries.at, earlier(ctx.now(), caughtUp));
  const found = await ctx.db
    .selectDistinct({ saleId: sales.id })
    .from(ledgerEntries)
    .innerJoin(sales, and(eq(sales.id, ledgerEntries.saleId), eq(sales.purpose, 'plan')))
    .innerJoin(creators, eq(creators.id, sales.creatorId))
    .innerJoin(referrals, eq(referrals.userId, creators.userId))
    .where(and(isRecent, gt(sales.id, after)))
    .orderBy(asc(sales.id))
    .limit(atOnce);
  await transact(ctx, async (tx) => {
    await tx.jobs.enqueueAll(settleAffiliate, found);
    const last = found.at(-1);
    if (last && found.length === atOnce) await tx.jobs.enqueue(catchUpAffiliates, { after: last.saleId });
  });
}
