import { eq, sql } from 'drizzle-orm';
import { checkouts } from '~/db/schema/checkouts';
import type { Subscription } from '../../../adapters/payments/objects';
import { chargeStoredCard, claimSavedCards, reportCheckout } from '../../../queue/jobs/billing';
import { recordDonation } from '../../../queue/jobs/donations';
import { countBrought } from '../../../queue/jobs/recommendations';
import type { TxCtx } from '../../../runtime/ctx';
import { grantAccess } from '../../access/grant-access';
import { isErased, lookupUserByEmail } from '../../accounts/base/queries';
import { findOrCreateBuyer } from '../../accounts/logins/sign-up';
import { redeemCoupon, releaseCoupon } from '../../coupons/redeem-coupon';
import { lockProduct } from '../../products/price-product';
import { assignCustomer } from '../base/customers';
import { createGift } from '../base/gift-links';
import {
  type CheckoutRow,
  hasPurchased,
  hasSubscribed,
  lockCheckout,
  lookupOffer,
  lookupSubscription,
  runsPlan,
  subscribesTo,
} from '../base/queries';
import { goesOnSelling } from '../base/rules';

/** `subscription`: as the provider shows it, if the checkout started one. */
type Settlement = { checkoutId: string; subscription: Pick<Subscription, 'id' | 'card'> | null };

/**
 * Delivers what a checkout has paid for: the account is found or created, a purchase grants access to its show, a
 * coupon is used up. Subscriptions grant access when they are written (subscriptions.ts). Repeating it changes nothing.
 * A second payment for the same item, or a payment for an item that is no longer sold, is refunded (`refusedFor`).
 */
export async function settleCheckout(tx: TxCtx, { checkoutId, subscription }: Settlement): Promise<CheckoutRow> {
  const row = await lockCheckout(tx, checkoutId);
  if (row.status === 'settled') return row;
  const buyer = await findBuyer(tx, row);
  const owned = { ...row, ...buyer };
  const refusedFor = await reasonToRefuse(tx, owned, subscription?.id ?? null);
  await tx.reach('settle.decided');
  const [settled] = await tx.db
    .update(checkouts)
    .set({ ...buyer, refusedFor, status: 'settled', settledAt: tx.now(), updatedAt: tx.now() })
    .where(eq(checkouts.id, row.id))
    .returning();
  if (refusedFor) await releaseCoupon(tx, row.id);
  else await deliverItem(tx, settled!, subscription?.card ?? undefined);
  if (row.purpose === 'show' || row.purpose === 'gift' || refusedFor)
    await tx.jobs.enqueue(reportCheckout, { checkoutId: row.id });
  return settled!;
}

/** One-time donors need no account. */
async function findBuyer(tx: TxCtx, { userId, email, terms, language, purpose, customerId }: CheckoutRow) {
  if (userId !== null || email === null) return { userId };
  if (purpose === 'donation' && terms.every === null) return { userId: null };
  const name = terms.buyerName || terms.gift?.giverName || terms.donation?.name || undefined;
  const { user, isNew } = await findOrCreateBuyer(tx, { email, language, currency: terms.currency, name });
  // a saved card waits until the owner of an existing account is known (claim-cards.ts)
  if (customerId && (isNew || !terms.savesCard))
    await assignCustomer(tx, { customerId, userId: user.id, isMain: isNew });
  return { userId: user.id, createdAccount: isNew };
}

/** `card`: that of the subscription. */
async function deliverItem(tx: TxCtx, row: CheckoutRow, card: string | undefined): Promise<void> {
  await redeemCoupon(tx, row.id);
  const { purpose, userId, productId, terms } = row;
  const { recommendationId } = terms;
  if (purpose === 'show' && productId !== null && recommendationId !== undefined)
    await tx.jobs.enqueue(countBrought, { recommendationId, productId, as: 'subscriptions' });
  if (purpose === 'card' || card) await tx.jobs.enqueue(chargeStoredCard, { checkoutId: row.id, card });
  if (terms.savesCard && row.email) await queueClaim(tx, row.email);
  if (purpose === 'donation') await tx.jobs.enqueue(recordDonation, { checkoutId: row.id });
  if (purpose === 'gift') await createGift(tx, row);
  if (purpose === 'show' && terms.every === null && userId !== null && productId !== null)
    await grantAccess(tx, { userId, productId, source: 'purchase' });
}

async function queueClaim(tx: TxCtx, email: string): Promise<void> {
  const user = await lookupUserByEmail(tx, email);
  if (user) await tx.jobs.enqueue(claimSavedCards, { userId: user.id });
}

async function reasonToRefuse(
  tx: TxCtx,
  { purpose, userId, productId, creatorId, terms }: CheckoutRow,
  subscription: string | null,
): Promise<CheckoutRow['refusedFor']> {
  if (userId === null || purpose === 'card') return null;
  // the page was open while the account was deleted, so the user could neither use nor cancel the purchase
  if (await isErased(tx, userId)) return 'not_for_sale';
  if (purpose === 'plan' && creatorId !== null) {
    await lockPair(tx, `plan ${creatorId}`);
    if (terms.planChange) return (await mayChange(tx, terms.planChange)) ? null : 'already_subscribed';
    return (await runsPlan(tx, creatorId, subscription ?? '')) ? 'already_subscribed' : null;
  }
  if (purpose === 'gift') return productId !== null && (await isSold(tx, productId)) ? null : 'not_for_sale';
  if (purpose !== 'show' || productId === null) return null;
  await lockPair(tx, `show ${userId} ${productId}`);
  const item = { userId, productId };
  const isOwned = subscription ? await subscribesTo(tx, item, subscription) : await hasPurchased(tx, item);
  if (isOwned) return 'already_subscribed';
  // the trial was offered to an address without an account, whose owner had one before; nothing has been charged
  if (terms.trialDays && (await hasSubscribed(tx, item))) return 'trial_used';
  const offer = await lookupOffer(tx, productId);
  return offer && goesOnSelling(offer) ? null : 'not_for_sale';
}

/** Whether the plan still runs as it did when the payment page opened. */
async function mayChange(tx: TxCtx, { subscription, from }: NonNullable<CheckoutRow['terms']['planChange']>) {
  const row = await lookupSubscription(tx, subscription);
  return row !== null && row.plan === from && !row.endedAt && !row.endsAt && !row.pastDueSince;
}

/** Locked, so that a deletion of the show waits and then sees the gift. */
async function isSold(tx: TxCtx, productId: number): Promise<boolean> {
  const show = await lockProduct(tx, productId);
  return show !== null && goesOnSelling(show);
}

/** If two payments for the same item are settled at once, the second one sees the first. */
export async function lockPair(tx: TxCtx, pair: string): Promise<void> {
  await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`buying ${pair}`}, 0))`);
}
