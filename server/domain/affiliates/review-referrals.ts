import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { affiliateLinks, affiliateShares, referrals } from '~/db/schema/affiliates';
import { creators } from '~/db/schema/creators';
import type { Refusal } from '~/db/values/affiliates';
import { AFFILIATE_LIMITS } from '../../limits/affiliates';
import { type Ctx, transact } from '../../runtime/ctx';
import { type Operator, recordOperation } from '../operators/record-operation';
import { referralIsRefused, referralNotFound, referralNotRefused } from './errors';

/** An account that a link has brought. `affiliate`: the name of the creator page. `shares`: payments that brought one. */
export type ReferralLine = {
  id: number;
  affiliate: string;
  code: string | null;
  email: string;
  createdAt: Date;
  refusedFor: Refusal | null;
  shares: number;
};

/** The latest referrals, for operators; with `isRefused`, those that bring nothing. */
export function listReferrals({ db }: Pick<Ctx, 'db'>, { isRefused = false } = {}): Promise<ReferralLine[]> {
  const shares = db.$count(affiliateShares, eq(affiliateShares.referralId, referrals.id));
  return db
    .select({
      id: referrals.id,
      affiliate: creators.name,
      code: affiliateLinks.code,
      email: users.email,
      createdAt: referrals.createdAt,
      refusedFor: referrals.refusedFor,
      shares: sql<number>`${shares}`.mapWith(Number),
    })
    .from(referrals)
    .innerJoin(affiliateLinks, eq(affiliateLinks.id, referrals.linkId))
    .innerJoin(creators, eq(creators.id, affiliateLinks.creatorId))
    .innerJoin(users, eq(users.id, referrals.userId))
    .where(isRefused ? isNotNull(referrals.refusedFor) : undefined)
    .orderBy(desc(referrals.id))
    .limit(AFFILIATE_LIMITS.listed);
}

type Step = { operator: Operator; id: number };

/** From now on the account brings nothing. @throws affiliate.referral_not_found, affiliate.referral_refused */
export async function refuseReferral(ctx: Ctx, { operator, id }: Step): Promise<void> {
  await transact(ctx, async (tx) => {
    const isAccepted = and(eq(referrals.id, id), isNull(referrals.refusedFor));
    const changed = await tx.db
      .update(referrals)
      .set({ refusedFor: 'operator' })
      .where(isAccepted)
      .returning({ id: referrals.id });
    if (changed.length === 0) throw (await exists(tx, id)) ? referralIsRefused() : referralNotFound();
    await recordOperation(tx, operator, { action: 'referrals.refused', target: `referral/${id}`, details: {} });
  });
}

/**
 * Takes a refusal back. The account is compared with the affiliate's again at each payment, so a reason that still
 * holds refuses it once more. @throws affiliate.referral_not_found, affiliate.referral_not_refused
 */
export async function acceptReferral(ctx: Ctx, { operator, id }: Step): Promise<void> {
  await transact(ctx, async (tx) => {
    const isRefused = and(eq(referrals.id, id), isNotNull(referrals.refusedFor));
    const changed = await tx.db
      .update(referrals)
      .set({ refusedFor: null })
      .where(isRefused)
      .returning({ id: referrals.id });
    if (changed.length === 0) throw (await exists(tx, id)) ? referralNotRefused() : referralNotFound();
    await recordOperation(tx, operator, { action: 'referrals.accepted', target: `referral/${id}`, details: {} });
  });
}

const exists = async ({ db }: Pick<Ctx, 'db'>, id: number): Promise<boolean> =>
  (await db.$count(referrals, eq(referrals.id, id))) > 0;
