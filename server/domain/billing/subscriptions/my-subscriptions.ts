import { and, desc, eq, inArray } from 'drizzle-orm';
import { subscriptions } from '~/db/schema/billing';
import { paymentCards } from '~/db/schema/checkouts';
import { later } from '../../../base/time';
import { BILLING_LIMITS, MANAGING_LIMITS } from '../../../limits/billing';
import { requireUser } from '../../../policy/actor';
import { syncShowSubscriptions } from '../../../queue/jobs/billing';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { forgetStoppedRenewal } from '../../access/grant-access';
import { listProductsByIds, type ProductRecord } from '../../products/queries';
import { toProductView } from '../../products/views';
import { cardNeeded, notForSale, subscriptionEnded, subscriptionNotFound } from '../base/errors';
import { lookupOffer } from '../base/queries';
import { goesOnSelling, type SubscriptionRow } from '../base/rules';
import type { CancelSubscription, FindSubscription } from '../base/schema';
import { type CardView, type SubscriptionView, stateOf, toShowView } from '../base/views';
import { isNotRefunded, tellEnd, tellResume } from './end-subscriptions';

export type CardRow = typeof paymentCards.$inferSelect;

/** The current user's subscriptions to shows, including ended ones, the newest first. */
export async function listMySubscriptions(ctx: Ctx): Promise<SubscriptionView[]> {
  const { userId } = requireUser(ctx);
  const rows = await ctx.db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), eq(subscriptions.purpose, 'show')))
    .orderBy(desc(subscriptions.id))
    .limit(MANAGING_LIMITS.listed);
  return toViews(ctx, rows);
}

/** @throws billing.subscription_not_found, also for other users' subscriptions */
export async function findMySubscription(ctx: Ctx, { id }: FindSubscription): Promise<SubscriptionView> {
  const [view] = await toViews(ctx, [await findOwn(ctx, id)]);
  if (!view) throw subscriptionNotFound();
  return view;
}

/**
 * Ends a subscription with its paid period. Access stays until then. Repeating it changes nothing, except the reason.
 * @throws billing.subscription_not_found, billing.subscription_ended
 */
export async function cancelSubscription(ctx: Ctx, { id, reason }: CancelSubscription): Promise<SubscriptionView> {
  const row = requireRunning(ctx, await findOwn(ctx, id));
  await transact(ctx, (tx) => markLeaving(tx, row, reason ?? ''));
  if (!row.endsAt) await tellEnd(ctx, row, { when: 'at_period_end', comment: reason });
  return findMySubscription(ctx, { id });
}

/**
 * Calls a cancellation off: the subscription is charged again at the end of its period. Repeating it is harmless.
 * @throws billing.subscription_not_found, billing.subscription_ended, billing.not_for_sale, billing.card_needed
 */
export async function renewSubscription(ctx: Ctx, { id }: FindSubscription): Promise<SubscriptionView> {
  const row = requireRunning(ctx, await findOwn(ctx, id));
  if (row.endReason === 'account_disconnected' || !(await isForSale(ctx, row))) throw notForSale();
  if (row.endReason === 'card_removed' && !(await hasCard(ctx, row))) throw cardNeeded();
  await ctx.reach('renewal.read');
  if (row.endsAt) await tellResume(ctx, row);
  const called = { endReason: null, leavingReason: null, updatedAt: ctx.now() };
  await ctx.db
    .update(subscriptions)
    .set(called)
    .where(and(eq(subscriptions.id, id), isNotRefunded()));
  await endIfOver(ctx, row);
  return findMySubscription(ctx, { id });
}

/** If the show was deleted or taken down meanwhile, the renewal has also called off the end that this caused. */
async function endIfOver(ctx: Ctx, row: SubscriptionRow): Promise<void> {
  if (await isForSale(ctx, row)) return;
  await transact(ctx, (tx) => tx.jobs.enqueue(syncShowSubscriptions, { productId: row.productId! }));
}

/** The current user's subscription to a show. @throws billing.subscription_not_found */
export async function findOwn(ctx: Ctx, id: number): Promise<SubscriptionRow> {
  const { userId } = requireUser(ctx);
  const [row] = await ctx.db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.id, id), eq(subscriptions.userId, userId), eq(subscriptions.purpose, 'show')));
  if (!row) throw subscriptionNotFound();
  return row;
}

/** @throws billing.subscription_ended */
export function requireRunning(ctx: Pick<Ctx, 'now'>, row: SubscriptionRow): SubscriptionRow {
  if (row.endReason === 'refunded' || row.endedAt || (row.endsAt && row.endsAt <= ctx.now())) throw subscriptionEnded();
  return row;
}

async function markLeaving(tx: TxCtx, { id, userId, productId }: SubscriptionRow, reason: string): Promise<void> {
  const left = { endReason: 'subscriber', leavingReason: reason || null, updatedAt: tx.now() } as const;
  await tx.db
    .update(subscriptions)
    .set(left)
    .where(and(eq(subscriptions.id, id), isNotRefunded()));
  await forgetStoppedRenewal(tx, { userId, productId: productId! });
}

async function isForSale(ctx: Ctx, { productId }: SubscriptionRow): Promise<boolean> {
  const offer = productId === null ? null : await lookupOffer(ctx, productId);
  return offer !== null && goesOnSelling(offer);
}

async function hasCard(ctx: Ctx, { customerId }: SubscriptionRow): Promise<boolean> {
  return (await ctx.db.$count(paymentCards, eq(paymentCards.customerId, customerId))) > 0;
}

async function toViews(ctx: Ctx, rows: SubscriptionRow[]): Promise<SubscriptionView[]> {
  const ids = [...new Set(rows.map(({ productId }) => productId!))];
  const records = new Map((await listProductsByIds(ctx, ids)).map((record) => [record.product.id, record]));
  const cards = await listCardRows(ctx, rows);
  return rows.flatMap((row) => {
    const record = records.get(row.productId!);
    return record ? [toSubscriptionView(ctx, { row, record, cards })] : [];
  });
}

async function listCardRows(ctx: Ctx, rows: SubscriptionRow[]): Promise<CardRow[]> {
  const customers = [...new Set(rows.map(({ customerId }) => customerId))];
  if (customers.length === 0) return [];
  return ctx.db.select().from(paymentCards).where(inArray(paymentCards.customerId, customers));
}

type FoundSubscription = { row: SubscriptionRow; record: ProductRecord; cards: CardRow[] };

function toSubscriptionView(ctx: Ctx, { row, record, cards }: FoundSubscription): SubscriptionView {
  const state = stateOf(row, ctx.now(), (since) => later(since, BILLING_LIMITS.grace));
  const { id, priceMinor, currency, every, endReason, customerId, cardId, confirmationUrl } = row;
  const { product } = record;
  const own = cards.filter((card) => card.customerId === customerId);
  const card = own.find(({ providerId }) => providerId === cardId) ?? own.find(({ isDefault }) => isDefault);
  const isSold = goesOnSelling(product);
  return {
    ...state,
    id,
    show: toShowView(toProductView(ctx, record)),
    price: { minor: priceMinor, currency },
    every,
    endReason: state.status === 'subscribed' ? null : endReason,
    card: card ? toCardView(ctx, card) : null,
    confirmationUrl,
    mayCancel: state.status === 'subscribed',
    mayRenew: state.status === 'unsubscribed_until' && isSold && endReason !== 'account_disconnected',
    mayGoYearly: isSold && offersYearly(row, product) && state.status === 'subscribed' && isUsual(state.phase),
  };
}

const isUsual = (phase: SubscriptionView['phase']) => phase === null || phase === 'trial';

type YearlyOffer = { annualPriceMinor: number | null; currency: string };

/** Whether a monthly subscription can become a yearly one of the same show, in the same currency. */
export const offersYearly = ({ every, currency }: SubscriptionRow, product: YearlyOffer): boolean =>
  every === 'month' && product.annualPriceMinor !== null && product.currency === currency;

export function toCardView(ctx: Pick<Ctx, 'now'>, row: CardRow): CardView {
  const { providerId, brand, last4, expiresMonth, expiresYear, expiresAt, isDefault } = row;
  return { id: providerId, brand, last4, expiresMonth, expiresYear, isDefault, isExpired: expiresAt <= ctx.now() };
}
