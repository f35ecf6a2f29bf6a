import { and, eq, gt, isNull } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { subscriptions } from '~/db/schema/billing';
import { gifts } from '~/db/schema/gifts';
import { hashToken } from '../../../auth/token-hash';
import type { AppError } from '../../../base/errors';
import { isInTeam } from '../../../policy/abilities';
import { requireUser } from '../../../policy/actor';
import { isLiveGrant, isPaidGrant } from '../../../policy/visibility';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { grantAccess } from '../../access/grant-access';
import { findUser } from '../../accounts/base/queries';
import { type PageBrand, pageBrandOf } from '../../creators/rules';
import { findProductRecord, type ProductRecord } from '../../products/queries';
import { toProductView } from '../../products/views';
import { giftExpired, giftNotFound, giftNotNeeded, giftRedeemed, giftRefunded, ownGift, ownShow } from '../base/errors';
import { type GiftRow, stateOfGift } from '../base/gift-links';
import { type GiftTime, giftTime } from '../base/rules';
import type { GiftLink } from '../base/schema';
import { type ShowView, toShowView } from '../base/views';
import { lockPair } from '../checkout/settle-checkout';

/**
 * `refusal`: why the current user can't redeem the gift, as the code of an error. `until`: the end of their access
 * afterwards.
 */
export type OpenedGift = Pick<GiftRow, 'months' | 'message' | 'recipientName' | 'expiresAt'> & {
  show: ShowView;
  brand: PageBrand | null;
  /** Empty if the giver does not sign. */
  giver: string;
  isLoggedIn: boolean;
  refusal: string | null;
  until: Date | null;
  /** The gift begins after the access that they already have. */
  isExtended: boolean;
};

/**
 * The gift of a link, without using it up: mail scanners open links as well.
 * @throws gift.not_found, gift.expired, gift.refunded, gift.redeemed
 */
export async function openGift(ctx: Ctx, { token }: GiftLink): Promise<OpenedGift> {
  const gift = await findGift(ctx, token);
  const record = await findProductRecord(ctx, gift.productId);
  const { months, message, recipientName, expiresAt } = gift;
  const giver = gift.giverName ?? (await findUser(ctx, gift.giverId)).name;
  const isLoggedIn = ctx.actor.type === 'user';
  const { refusal, time } = await answerFor(ctx, { gift, record });
  const show = toShowView(toProductView(ctx, record));
  return {
    ...{ months, message, recipientName, expiresAt, show, giver, isLoggedIn },
    brand: pageBrandOf(record.creator),
    refusal: refusal?.code ?? null,
    until: time?.until ?? null,
    isExtended: time !== null && time.from > ctx.now(),
  };
}

/**
 * Gives the current user the access that a gift has paid for, once: of two people, one gets it. A refusal leaves the
 * link valid. @throws as openGift; gift.own, gift.not_needed, billing.own_show
 */
export async function redeemGift(ctx: Ctx, { token }: GiftLink): Promise<{ productId: number }> {
  const { userId } = requireUser(ctx);
  const gift = await findGift(ctx, token);
  const { productId } = gift;
  const record = await findProductRecord(ctx, productId);
  await ctx.reach('gift.found');
  await transact(ctx, async (tx) => {
    // without the lock, a purchase that is settled at the same moment and this gift would not see each other
    await lockPair(tx, `show ${userId} ${productId}`);
    const { refusal, time } = await answerFor(tx, { gift, record });
    if (refusal) throw refusal;
    await markRedeemed(tx, gift, { userId, ...time! });
    await grantAccess(tx, { userId, productId, source: 'gift', endsAt: time!.until });
  });
  return { productId };
}

async function markRedeemed(tx: TxCtx, { id }: GiftRow, { userId, from, until }: GiftTime & { userId: number }) {
  const now = tx.now();
  const isOpen = and(isNull(gifts.redeemedAt), isNull(gifts.cancelledAt), gt(gifts.expiresAt, now));
  const redeemed = await tx.db
    .update(gifts)
    .set({ redeemedAt: now, redeemedBy: userId, accessFrom: from, accessUntil: until, updatedAt: now })
    .where(and(eq(gifts.id, id), isOpen))
    .returning({ id: gifts.id });
  if (redeemed.length === 0) throw giftRedeemed();
}

/** @throws gift.not_found, gift.expired, gift.refunded, gift.redeemed */
async function findGift(ctx: Ctx, token: string): Promise<GiftRow> {
  const [gift] = await ctx.db
    .select()
    .from(gifts)
    .where(eq(gifts.tokenHash, hashToken(token)));
  if (!gift) throw giftNotFound();
  const state = stateOfGift(gift, ctx.now());
  if (state === 'refunded') throw giftRefunded();
  if (state === 'redeemed') throw giftRedeemed();
  if (state === 'expired') throw giftExpired();
  return gift;
}

type Opened = { gift: GiftRow; record: ProductRecord };
type Answer = { refusal: AppError | null; time: GiftTime | null };

/** A renewing subscription would still be charged beside the gift. */
async function answerFor(ctx: Ctx, { gift, record: { product } }: Opened): Promise<Answer> {
  const { actor } = ctx;
  if (actor.type !== 'user') return { refusal: null, time: null };
  if (actor.userId === gift.giverId) return { refusal: ownGift(), time: null };
  if (isInTeam(actor, 'product.manage', product)) return { refusal: ownShow(), time: null };
  const item = { userId: actor.userId, productId: product.id };
  const time = (await renewsBeside(ctx, item)) ? null : giftTime(gift.months, await heldBy(ctx, item), ctx.now());
  return time ? { refusal: null, time } : { refusal: giftNotNeeded(), time: null };
}

type Item = { userId: number; productId: number };

async function renewsBeside({ db }: Pick<Ctx, 'db'>, { userId, productId }: Item): Promise<boolean> {
  const own = and(eq(subscriptions.userId, userId), eq(subscriptions.productId, productId));
  return (await db.$count(subscriptions, and(own, isNull(subscriptions.endedAt), isNull(subscriptions.endsAt)))) > 0;
}

/** The person's valid grants that were paid for. */
async function heldBy({ db, now }: Pick<Ctx, 'db' | 'now'>, { userId, productId }: Item) {
  const own = and(eq(grants.userId, userId), eq(grants.productId, productId));
  const rows = await db.select().from(grants).where(own);
  return rows.filter((grant) => isPaidGrant(grant) && isLiveGrant(grant, now()));
}
