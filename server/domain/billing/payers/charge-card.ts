import { randomUUID } from 'node:crypto';
import { and, desc, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm';
import { subscriptions } from '~/db/schema/billing';
import { checkouts, paymentCards } from '~/db/schema/checkouts';
import { AppError } from '../../../base/errors';
import type { Ctx } from '../../../runtime/ctx';
import { onAccount } from '../../payouts/seller-status';
import { lookupCustomer } from '../base/customers';
import { type CheckoutRow, lookupCheckout } from '../base/queries';
import type { SubscriptionRow } from '../base/rules';
import { syncCards } from '../provider-sync/cards';
import { ignoreConflict, tellResume } from '../subscriptions/end-subscriptions';
import { syncInvoice, syncSubscription } from '../subscriptions/subscriptions';

/**
 * `lost`: subscriptions without a card of their own, and subscriptions that ended because the last card was removed;
 * `all`: every running subscription, and the card becomes the default; a number: only this subscription.
 */
export type CardScope = 'lost' | 'all' | number;
export type CardUse = { customer: string; card: string; scope: CardScope };

/**
 * Charges subscriptions to a card: subscriptions that ended for lack of a card continue, and overdue ones are paid at
 * once. Repeating it is harmless.
 * @returns why the card could not be charged; null if it could, or nothing was due
 */
export async function chargeToCard(at: Ctx, use: CardUse): Promise<AppError | null> {
  const { customer, card, scope } = use;
  const ctx = onAccount(at, (await lookupCustomer(at, customer))?.account ?? null);
  if (typeof scope !== 'number') await ensureDefault(ctx, use);
  let declined: AppError | null = null;
  for (const row of await listCharged(ctx, use)) {
    const key = `subscription/${randomUUID()}`;
    await ctx.ports.payments.setSubscriptionCard(row.providerId, card, key).catch(ignoreConflict);
    if (row.endReason === 'card_removed' && row.endsAt) await tellResume(ctx, row);
    else await syncSubscription(ctx, row.providerId);
    if (row.pastDueSince && row.latestInvoice) declined = (await payOverdue(ctx, row.latestInvoice, card)) ?? declined;
  }
  await dropPendingEnds(ctx, customer);
  await syncCards(ctx, customer);
  return declined;
}

async function ensureDefault(ctx: Ctx, { customer, card, scope }: CardUse): Promise<void> {
  const hasDefault = and(eq(paymentCards.customerId, customer), eq(paymentCards.isDefault, true));
  if (scope !== 'all' && (await ctx.db.$count(paymentCards, hasDefault)) > 0) return;
  await ctx.ports.payments.setDefaultCard(customer, card, `card/${randomUUID()}`);
}

async function listCharged(ctx: Ctx, { customer, scope }: CardUse): Promise<SubscriptionRow[]> {
  const own = ctx.db
    .select({ id: paymentCards.providerId })
    .from(paymentCards)
    .where(eq(paymentCards.customerId, customer));
  const isLost = or(isNull(subscriptions.cardId), sql`${subscriptions.cardId} not in ${own}`);
  const scopes: Record<'lost' | 'all', SQL | undefined> = {
    lost: or(isLost, eq(subscriptions.endReason, 'card_removed')),
    all: undefined,
  };
  const isInScope = typeof scope === 'number' ? eq(subscriptions.id, scope) : scopes[scope];
  return ctx.db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.customerId, customer), isNull(subscriptions.endedAt), isInScope));
}

/** The key contains the card: a card that was declined is not charged again. */
async function payOverdue(ctx: Ctx, invoice: string, card: string): Promise<AppError | null> {
  try {
    await ctx.ports.payments.payInvoice(invoice, `invoice/${invoice}/${card}`).catch(ignoreConflict);
  } catch (error) {
    if (error instanceof AppError && /^payments\.(?:card_declined|authentication)/.test(error.code)) return error;
    throw error;
  } finally {
    await syncInvoice(ctx, invoice);
  }
  return null;
}

/** Ends that were not reported to the provider yet. */
async function dropPendingEnds(ctx: Ctx, customer: string): Promise<void> {
  const isPending = and(eq(subscriptions.customerId, customer), isNull(subscriptions.endsAt));
  await ctx.db
    .update(subscriptions)
    .set({ endReason: null })
    .where(and(isPending, isNull(subscriptions.endedAt), eq(subscriptions.endReason, 'card_removed')));
}

/**
 * Call it after a customer's cards have changed: subscriptions that lost their card are charged to the default card,
 * otherwise to the newest.
 */
export async function chargeLost(ctx: Ctx, { customer }: { customer: string }): Promise<void> {
  const [left] = await ctx.db
    .select({ card: paymentCards.providerId })
    .from(paymentCards)
    .where(eq(paymentCards.customerId, customer))
    .orderBy(desc(paymentCards.isDefault), desc(paymentCards.createdAt))
    .limit(1);
  if (left) await chargeToCard(ctx, { customer, card: left.card, scope: 'lost' });
}

/** `card`: that of a new subscription; by default, the card that the checkout was opened for. */
type StoredCard = { checkoutId: string; card?: string };

/**
 * Uses the card that a settled checkout has stored. A card that was added on its own pays all subscriptions; that of a
 * new subscription becomes the default for later ones. @returns as chargeToCard; null for other checkouts, and
 * if the card was removed meanwhile
 */
export async function chargeToStoredCard(ctx: Ctx, { checkoutId, card: own }: StoredCard): Promise<AppError | null> {
  const row = await lookupCheckout(ctx, checkoutId);
  if (row?.status !== 'settled' || !row.providerId) return null;
  const payments = ctx.ports.payments.on(row.account);
  const { card: added, customer } = await payments.fetch.checkout(row.providerId);
  const card = own ?? added;
  if (!card || !customer) return null;
  const isLeft = (await payments.listCards(customer)).some(({ id }) => id === card);
  if (!isLeft) return null;
  if (!own) return chargeToCard(ctx, { customer, card, scope: row.terms.subscriptionId ?? 'all' });
  if (await hasLaterCard(ctx, row, customer)) return null;
  // with the same key, a repetition does not undo a later choice
  await payments.setDefaultCard(customer, card, `checkout/${row.id}/default-card`);
  await syncCards(ctx, customer);
  return null;
}

/** Whether the customer has stored another card since: jobs may run late, and in any order. */
async function hasLaterCard({ db }: Pick<Ctx, 'db'>, row: CheckoutRow, customer: string): Promise<boolean> {
  const { userId, customerId, purpose, terms, settledAt } = checkouts;
  if (row.userId === null || row.settledAt === null) return false;
  const stores = or(eq(purpose, 'card'), sql`${terms} ->> 'every' is not null`);
  const isLater = and(eq(userId, row.userId), eq(customerId, customer), gt(settledAt, row.settledAt));
  return (await db.$count(checkouts, and(isLater, stores))) > 0;
}
