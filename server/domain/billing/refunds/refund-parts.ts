import { and, eq, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { endRefunds, subscriptions } from '~/db/schema/billing';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import type { EndPreview, Refund } from '../../../adapters/payments/objects';
import { localeOf, localeOfUser } from '../../../base/formats';
import { formatMoney, inOurs } from '../../../base/money';
import { later } from '../../../base/time';
import { END_REFUND_LIMITS } from '../../../limits/billing';
import { refundEnd } from '../../../queue/jobs/billing';
import type { Ctx, TxCtx } from '../../../runtime/ctx';
import { queueAccountEmail } from '../../accounts/base/email-links';
import { findUser } from '../../accounts/base/queries';
import { findCreatorRecord } from '../../creators/queries';
import { queueEmail } from '../../notifications/outbox';
import type { SubscriptionRow } from '../base/rules';

export type RefundPart = typeof endRefunds.$inferSelect;
type Plan = { at: Date; periodStart: Date; refunds: EndPreview['refunds'] };

/** Stores the amount to refund, unless it is stored for this period: a renewal before the end makes it out of date. */
export async function storeParts(
  tx: TxCtx,
  { id }: SubscriptionRow,
  { at, periodStart, refunds }: Plan,
): Promise<void> {
  const isOpen = or(isNull(subscriptions.refundPlannedAt), lt(subscriptions.refundPlannedAt, periodStart));
  const planned = await tx.db
    .update(subscriptions)
    .set({ refundPlannedAt: at, updatedAt: tx.now() })
    .where(and(eq(subscriptions.id, id), isOpen))
    .returning({ id: subscriptions.id });
  if (planned.length === 0) return;
  await tx.db.delete(endRefunds).where(eq(endRefunds.subscriptionId, id));
  await insertParts(tx, id, { refunds, status: 'due', dueAt: at });
}

/** Stores amounts that wait for `releaseParts`, instead of those of an earlier attempt. */
export async function planParts(tx: TxCtx, { id }: SubscriptionRow, refunds: EndPreview['refunds']): Promise<void> {
  await tx.db.delete(endRefunds).where(and(eq(endRefunds.subscriptionId, id), eq(endRefunds.status, 'planned')));
  await insertParts(tx, id, { refunds, status: 'planned', dueAt: tx.now() });
}

/** Lets the planned amounts be refunded. Repeating it changes nothing. */
export async function releaseParts({ db, now }: Pick<Ctx, 'db' | 'now'>, subscriptionId: number): Promise<void> {
  const isPlanned = and(eq(endRefunds.subscriptionId, subscriptionId), eq(endRefunds.status, 'planned'));
  await db.update(endRefunds).set({ status: 'due', updatedAt: now() }).where(isPlanned);
}

type NewParts = { refunds: EndPreview['refunds'] } & Pick<RefundPart, 'status' | 'dueAt'>;

async function insertParts(tx: TxCtx, subscriptionId: number, { refunds, ...facts }: NewParts): Promise<void> {
  if (refunds.length === 0) return;
  const times = { createdAt: tx.now(), updatedAt: tx.now() };
  const parts = refunds.map(({ payment: paymentId, amount }) => ({
    ...{ subscriptionId, paymentId, amountMinor: amount.minor, currency: inOurs(amount).currency },
    ...facts,
    ...times,
  }));
  await tx.db.insert(endRefunds).values(parts);
}

export const listParts = (ctx: Pick<Ctx, 'db'>, subscriptionId: number): Promise<RefundPart[]> =>
  ctx.db.select().from(endRefunds).where(eq(endRefunds.subscriptionId, subscriptionId));

/** The sum of the amounts that were or will be refunded, without those that failed for good. */
export async function sumGivenBack(ctx: Pick<Ctx, 'db'>, subscriptionId: number): Promise<number> {
  const parts = await listParts(ctx, subscriptionId);
  const given = parts.filter(({ status }) => status === 'sent' || status === 'due');
  return given.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** @returns whether nobody has been told about the refunds of this end yet; then the caller tells it */
export async function markTold(tx: TxCtx, subscriptionId: number): Promise<boolean> {
  const { id, refundToldAt, endedAt } = subscriptions;
  const told = await tx.db
    .update(subscriptions)
    .set({ refundToldAt: tx.now(), updatedAt: tx.now() })
    .where(and(eq(id, subscriptionId), isNull(refundToldAt), isNotNull(endedAt)))
    .returning({ id });
  return told.length > 0;
}

export const listDueParts = (ctx: Pick<Ctx, 'db' | 'now'>, subscriptionId: number): Promise<RefundPart[]> =>
  ctx.db
    .select()
    .from(endRefunds)
    .where(
      and(
        eq(endRefunds.subscriptionId, subscriptionId),
        eq(endRefunds.status, 'due'),
        lte(endRefunds.dueAt, ctx.now()),
      ),
    );

export async function markSent(ctx: Pick<Ctx, 'db' | 'now'>, part: RefundPart, refundId: string): Promise<void> {
  await ctx.db.update(endRefunds).set({ status: 'sent', refundId, updatedAt: ctx.now() }).where(isAttempt(part));
}

/** The payment has less left than was stored, or its refund is refused, for example in a dispute. */
export async function markRefused(tx: TxCtx, part: RefundPart, leftMinor: number): Promise<void> {
  if (leftMinor > 0) return repeatLater(tx, part, Math.min(part.amountMinor, leftMinor));
  await tx.db.update(endRefunds).set({ status: 'void', updatedAt: tx.now() }).where(isAttempt(part));
}

/** Refunds can fail days later. A failed refund is repeated, and in the end the creator is told. */
export async function repeatFailed(tx: TxCtx, found: Refund[]): Promise<void> {
  const failed = found.filter(({ status }) => status === 'failed' || status === 'canceled').map(({ id }) => id);
  if (failed.length === 0) return;
  const parts = await tx.db
    .select()
    .from(endRefunds)
    .where(and(inArray(endRefunds.refundId, failed), eq(endRefunds.status, 'sent')))
    .for('update');
  // a payment belongs to one subscription, so at most one matches
  for (const part of parts) await repeatLater(tx, part, part.amountMinor);
}

const isAttempt = ({ subscriptionId, paymentId, attempt }: RefundPart) =>
  and(
    eq(endRefunds.subscriptionId, subscriptionId),
    eq(endRefunds.paymentId, paymentId),
    eq(endRefunds.attempt, attempt),
  );

async function repeatLater(tx: TxCtx, part: RefundPart, amountMinor: number): Promise<void> {
  const pause = END_REFUND_LIMITS.pauses[part.attempt];
  const isLast = pause === undefined;
  const dueAt = later(tx.now(), pause ?? 0);
  const changed = await tx.db
    .update(endRefunds)
    .set({
      status: isLast ? 'failed' : 'due',
      attempt: sql`${endRefunds.attempt} + 1`,
      ...{ amountMinor, dueAt, refundId: null, updatedAt: tx.now() },
    })
    .where(isAttempt(part))
    .returning();
  if (changed.length === 0) return;
  if (isLast) await tellPayer(tx, { ...part, amountMinor });
  else await tx.jobs.enqueue(refundEnd, { subscriptionId: part.subscriptionId }, { at: dueAt });
}

/** Of a show that became free, the creator pays back; of a plan, the operator. */
async function tellPayer(tx: TxCtx, part: RefundPart): Promise<void> {
  const [row] = await tx.db.select().from(subscriptions).where(eq(subscriptions.id, part.subscriptionId));
  if (row?.purpose === 'plan') await tellOperator(tx, part, row);
  else await tellCreator(tx, part);
}

async function tellOperator(tx: TxCtx, part: RefundPart, { creatorId }: SubscriptionRow): Promise<void> {
  const { domain } = await findCreatorRecord(tx, creatorId);
  const { amountMinor: minor, currency, paymentId: payment } = part;
  const facts = { creator: domain, payment, amount: formatMoney({ minor, currency }, localeOf(DEFAULT_LANGUAGE)) };
  const t = (key: string) => tx.translate(`mail:credit_failed.${key}`, facts, DEFAULT_LANGUAGE);
  await queueEmail(tx, {
    to: tx.settings.operator.email,
    userId: null,
    topic: 'credit_failed',
    language: DEFAULT_LANGUAGE,
    subject: t('subject'),
    content: { heading: t('heading'), paragraphs: [t('why'), t('how')], footer: t('footer') },
  });
}

async function tellCreator(tx: TxCtx, { subscriptionId, amountMinor, currency }: RefundPart): Promise<void> {
  const [found] = await tx.db
    .select({ subscription: subscriptions, show: products.name, ownerId: creators.userId })
    .from(subscriptions)
    .innerJoin(products, eq(products.id, subscriptions.productId))
    .innerJoin(creators, eq(creators.id, subscriptions.creatorId))
    .where(eq(subscriptions.id, subscriptionId));
  if (!found) return;
  const { userId } = found.subscription;
  const [owner, buyer] = [await findUser(tx, found.ownerId), await findUser(tx, userId)];
  if (owner.deletedAt) return;
  const amount = formatMoney({ minor: amountMinor, currency }, localeOfUser(owner));
  const facts = { show: found.show, amount, buyer: buyer.name || `#${userId}` };
  await queueAccountEmail(tx, owner, { topic: 'refund_failed', url: tx.urls.app('/subscribers'), ...facts });
}
