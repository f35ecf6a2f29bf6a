import { randomBytes } from 'node:crypto';
import { lt, sql } from 'drizzle-orm';
import { affiliateDays, affiliateVisits } from '~/db/schema/affiliates';
import { classifyAgent } from '../../agents/classify';
import type { FollowedLink } from '../../base/affiliate-cookie';
import { utcDay } from '../../base/time';
import { type Ctx, transact } from '../../runtime/ctx';
import { listActiveLinks } from './queries';
import { keptFrom } from './rules';

/** `kept`: what the browser remembers. `isCounted`: its network has not followed too many links. */
type Visit = { code: string; kept: FollowedLink | null; userAgent: string; isCounted: boolean };

/**
 * Counts a browser that has followed a link, once a day (UTC); bots and tools don't count. The first link stays
 * remembered until it expires, so no later one can take a sign-up away. Nothing else about the visitor is stored.
 * @returns what the browser must remember now; null to leave it as it is
 */
export async function visitLink(ctx: Ctx, { code, kept, userAgent, isCounted }: Visit): Promise<FollowedLink | null> {
  if (classifyAgent(userAgent).kind !== 'browser') return null;
  const found = await listActiveLinks(ctx, kept ? [code, kept.code] : [code]);
  const link = found.find((each) => each.code === code);
  if (!link) return null;
  const visitor = kept?.visitor ?? randomBytes(16).toString('base64url');
  if (isCounted) await countVisit(ctx, link.id, visitor);
  const isRemembered = kept !== null && found.some((each) => each.code === kept.code);
  return isRemembered ? null : { code, at: ctx.now(), visitor };
}

async function countVisit(ctx: Ctx, linkId: number, visitor: string): Promise<void> {
  const day = utcDay(ctx.now());
  await transact(ctx, async ({ db }) => {
    const counted = await db
      .insert(affiliateVisits)
      .values({ linkId, day, visitor })
      .onConflictDoNothing()
      .returning({ day: affiliateVisits.day });
    if (counted.length === 0) return;
    await db
      .insert(affiliateDays)
      .values({ linkId, day, visits: 1 })
      .onConflictDoUpdate({
        target: [affiliateDays.linkId, affiliateDays.day],
        set: { visits: sql`${affiliateDays.visits} + 1` },
      });
  });
}

/** Deletes the names of browsers whose cookie has expired, and old sums. */
export async function sweepVisits({ db, now }: Ctx): Promise<void> {
  const { visits, sums } = keptFrom(now());
  await db.delete(affiliateVisits).where(lt(affiliateVisits.day, utcDay(visits)));
  await db.delete(affiliateDays).where(lt(affiliateDays.day, utcDay(sums)));
}
