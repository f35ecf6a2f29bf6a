import { and, eq, gt, isNotNull, isNull, lte, ne, sql } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { checkouts } from '~/db/schema/checkouts';
import { gifts } from '~/db/schema/gifts';
import { GIFT_LIMITS } from '../../../limits/billing';
import { isLiveGrant, isPaidGrant } from '../../../policy/visibility';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { endAccess } from '../../access/grant-access';
import { findUser } from '../../accounts/base/queries';
import { findProductRecord } from '../../products/queries';
import type { GiftRow } from '../base/gift-links';
import { lookupOffer } from '../base/queries';
import { pricesOnSale } from '../base/rules';
import { reportEnded, reportTakenBack } from './reports';

/**
 * Call it when a gift is refunded completely: its link stops working, and the access that it still gives ends. Months
 * of other gifts stay. Repeating it changes nothing.
 */
export async function cancelGift(tx: TxCtx, checkoutId: string): Promise<void> {
  const [gift] = await tx.db
    .update(gifts)
    .set({ cancelledAt: tx.now(), updatedAt: tx.now() })
    .where(and(eq(gifts.checkoutId, checkoutId), isNull(gifts.cancelledAt)))
    .returning();
  if (!gift || gift.redeemedBy === null) return;
  if (!(await takeBack(tx, gift, gift.redeemedBy))) return;
  const { product } = await findProductRecord(tx, gift.productId);
  await reportTakenBack(tx, gift.redeemedBy, product.name);
}

/** @returns whether the person has lost access */
async function takeBack(tx: TxCtx, { productId, accessFrom, accessUntil, months }: GiftRow, userId: number) {
  const own = and(eq(grants.userId, userId), eq(grants.productId, productId), eq(grants.source, 'gift'));
  const [grant] = await tx.db.select().from(grants).where(own).for('update');
  const now = tx.now();
  if (!grant || !isLiveGrant(grant, now)) return false;
  const key = { userId, productId, source: 'gift' } as const;
  // a free invitation has replaced the months of a podcast
  if (grant.endsAt === null) return months === null && endAccess(tx, key);
  if (!accessFrom || !accessUntil || accessUntil <= now) return false;
  const leftMs = accessUntil.getTime() - Math.max(accessFrom.getTime(), now.getTime());
  const end = new Date(Math.max(now.getTime(), grant.endsAt.getTime() - leftMs));
  await moveLater(tx, { productId, userId, after: accessFrom, byMs: leftMs });
  return endAccess(tx, { ...key, at: end });
}

type Moved = { productId: number; userId: number; after: Date; byMs: number };

/** Moves the person's later gifts forward by the time that is taken back. */
async function moveLater(tx: TxCtx, { productId, userId, after, byMs }: Moved): Promise<void> {
  const own = and(eq(gifts.redeemedBy, userId), eq(gifts.productId, productId), isNull(gifts.cancelledAt));
  const sooner = (column: typeof gifts.accessFrom | typeof gifts.accessUntil) =>
    sql`${column} - ${byMs} * interval '1 millisecond'`;
  await tx.db
    .update(gifts)
    .set({ accessFrom: sooner(gifts.accessFrom), accessUntil: sooner(gifts.accessUntil), updatedAt: tx.now() })
    .where(and(own, gt(gifts.accessFrom, after)));
}

/**
 * Emails receivers whose gift has ended, once, that they can subscribe, unless they still have access or the show is
 * not for sale.
 */
export async function reportEndedGifts(ctx: Ctx): Promise<void> {
  const isEnded = and(isNotNull(gifts.accessUntil), lte(gifts.accessUntil, ctx.now()));
  const ended = await ctx.db
    .select()
    .from(gifts)
    .where(and(isEnded, isNull(gifts.endReportedAt), isNull(gifts.cancelledAt)))
    .orderBy(gifts.accessUntil)
    .limit(GIFT_LIMITS.reportedAtOnce);
  await ctx.reach('gift-ends.listed');
  for (const gift of ended) await transact(ctx, (tx) => reportOnce(tx, gift));
}

async function reportOnce(tx: TxCtx, { id, productId, redeemedBy }: GiftRow): Promise<void> {
  const [gift] = await tx.db
    .update(gifts)
    .set({ endReportedAt: tx.now(), updatedAt: tx.now() })
    .where(and(eq(gifts.id, id), isNull(gifts.endReportedAt)))
    .returning();
  if (!gift || redeemedBy === null || (await hearsShow(tx, { userId: redeemedBy, productId }))) return;
  const offer = await lookupOffer(tx, productId);
  const user = await findUser(tx, redeemedBy);
  if (!offer || user.deletedAt || pricesOnSale({ ...offer, retiredAt: null }).length === 0) return;
  await reportEnded(tx, gift, { user, show: offer.name });
}

async function hearsShow(tx: TxCtx, { userId, productId }: { userId: number; productId: number }): Promise<boolean> {
  const held = await tx.db
    .select()
    .from(grants)
    .where(and(eq(grants.userId, userId), eq(grants.productId, productId)));
  return held.some((grant) => isPaidGrant(grant) && isLiveGrant(grant, tx.now()));
}

/**
 * Call it when an account is deleted: removes the giver's name from its gifts, and the names, addresses and messages of
 * the people for whom it bought them. Their links still work. Repeating it is harmless.
 */
export async function eraseGifts(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  await transact(ctx, async (tx) => {
    const personal = { giverName: '', recipientName: '', recipientEmail: null, message: '' };
    await tx.db.update(gifts).set(personal).where(eq(gifts.giverId, userId));
    await tx.db
      .update(checkouts)
      .set({ terms: sql`${checkouts.terms} - 'gift'` })
      .where(and(eq(checkouts.userId, userId), eq(checkouts.purpose, 'gift'), ne(checkouts.status, 'open')));
  });
}
