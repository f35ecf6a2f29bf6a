import { asc, eq } from 'drizzle-orm';
import { affiliateDays, affiliateLinks } from '~/db/schema/affiliates';
import { DAYS, earlier, utcDay } from '../base/time';
import { joinProgramme } from '../domain/affiliates/join-programme';
import { noteReferral } from '../domain/affiliates/note-referral';
import { requireCreator } from '../policy/actor';
import type { Ctx } from '../runtime/ctx';
import type { Runtime } from '../runtime/runtime';
import { actAs } from './acting';
import type { DemoPerson } from './demo-types';

/** Visits of the last days, the newest first. */
const VISITS = [9, 14, 6, 3, 11, 8, 5, 2, 7, 12, 4, 6];

/**
 * Creators who have joined the affiliate programme, and whom their links have brought; the plans that those pay for
 * afterwards bring shares. Past visits are inserted.
 */
export async function seedAffiliates(runtime: Runtime, cast: readonly DemoPerson[]): Promise<void> {
  for (const brought of cast) {
    const affiliate = cast.find(({ email }) => email === brought.broughtBy);
    if (!affiliate) continue;
    const own = await actAs(runtime, affiliate, earlier(runtime.now(), DAYS(VISITS.length)));
    await joinProgramme(own);
    const code = await countVisits(own);
    const { actor } = await actAs(runtime, brought);
    if (actor.type === 'user') await noteReferral(own, { userId: actor.userId, code });
  }
}

/** @returns the code of the affiliate's first link */
async function countVisits(ctx: Ctx): Promise<string> {
  const [link] = await ctx.db
    .select()
    .from(affiliateLinks)
    .where(eq(affiliateLinks.creatorId, requireCreator(ctx).creatorId))
    .orderBy(asc(affiliateLinks.id))
    .limit(1);
  const linkId = link!.id;
  const days = VISITS.map((visits, at) => ({
    linkId,
    day: utcDay(earlier(ctx.now(), DAYS(at - VISITS.length))),
    visits,
  }));
  await ctx.db.insert(affiliateDays).values(days).onConflictDoNothing();
  return link!.code!;
}
