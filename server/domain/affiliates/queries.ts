import { and, eq, inArray, isNull } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { affiliateLinks, referrals } from '~/db/schema/affiliates';
import { creators } from '~/db/schema/creators';
import type { Ctx } from '../../runtime/ctx';

/** The affiliate's account is open, and so are its links and its claims to shares. */
const isOpen = and(isNull(users.deletedAt), isNull(users.suspendedAt), isNull(creators.closedAt));

export type ActiveLink = { id: number; code: string | null; creatorId: number };

/** The links with these codes that work. */
export function listActiveLinks({ db }: Pick<Ctx, 'db'>, codes: string[]): Promise<ActiveLink[]> {
  return db
    .select({ id: affiliateLinks.id, code: affiliateLinks.code, creatorId: affiliateLinks.creatorId })
    .from(affiliateLinks)
    .innerJoin(creators, eq(creators.id, affiliateLinks.creatorId))
    .innerJoin(users, eq(users.id, creators.userId))
    .where(and(inArray(affiliateLinks.code, codes), isOpen))
    .orderBy(affiliateLinks.id);
}

/** `creatorId`: of the affiliate. `userId`: the account that the link has brought. */
export type ReferralRow = Pick<typeof referrals.$inferSelect, 'id' | 'userId' | 'refusedFor'> & {
  code: string | null;
  creatorId: number;
};

/** The link that has brought a creator; null without one. */
export async function lookupReferral({ db }: Pick<Ctx, 'db'>, creatorId: number): Promise<ReferralRow | null> {
  const { id, userId, refusedFor, linkId } = referrals;
  const { code } = affiliateLinks;
  const [row] = await db
    .select({ id, userId, refusedFor, code, creatorId: affiliateLinks.creatorId })
    .from(creators)
    .innerJoin(referrals, eq(referrals.userId, creators.userId))
    .innerJoin(affiliateLinks, eq(affiliateLinks.id, linkId))
    .where(eq(creators.id, creatorId));
  return row ?? null;
}

/** Whether the affiliate's account is open. */
export async function isOpenAffiliate({ db }: Pick<Ctx, 'db'>, creatorId: number): Promise<boolean> {
  const found = await db
    .select({ id: creators.id })
    .from(creators)
    .innerJoin(users, eq(users.id, creators.userId))
    .where(and(eq(creators.id, creatorId), isOpen));
  return found.length > 0;
}
