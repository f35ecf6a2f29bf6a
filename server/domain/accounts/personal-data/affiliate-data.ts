import { asc, eq } from 'drizzle-orm';
import { affiliateLinks, referrals } from '~/db/schema/affiliates';
import { creators } from '~/db/schema/creators';
import type { Ctx } from '../../../runtime/ctx';
import type { UserRow } from '../base/queries';

/** The person's own links of the affiliate programme, and the link by which they came. */
export async function affiliatesOf({ db }: Pick<Ctx, 'db'>, { id }: UserRow) {
  const { name, code, createdAt } = affiliateLinks;
  const links = await db
    .select({ name, code, createdAt })
    .from(affiliateLinks)
    .innerJoin(creators, eq(creators.id, affiliateLinks.creatorId))
    .where(eq(creators.userId, id))
    .orderBy(asc(affiliateLinks.id));
  const [came] = await db
    .select({ code, at: referrals.createdAt, refusedFor: referrals.refusedFor })
    .from(referrals)
    .innerJoin(affiliateLinks, eq(affiliateLinks.id, referrals.linkId))
    .where(eq(referrals.userId, id));
  return { links, came: came ?? null };
}
