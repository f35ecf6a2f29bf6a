import { and, asc, eq, gt, isNull, lt, lte } from 'drizzle-orm';
import { endRefunds, subscriptions } from '~/db/schema/billing';
import { subscriberMoveLines } from '~/db/schema/moving';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import type { EndPreview } from '../../../adapters/payments/objects';
import { AppError } from '../../../base/errors';
import { localeOf } from '../../../base/formats';
import { formatMoney } from '../../../base/money';
import { languagePrefix, SUBSCRIPTIONS_PATH } from '../../../base/public-paths';
import { earlier } from '../../../base/time';
import { END_REFUND_LIMITS } from '../../../limits/billing';
import { refundEnd, refundPlanCredit } from '../../../queue/jobs/billing';
import { completeConversion } from '../../../queue/jobs/products';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { queueAccountEmail } from '../../accounts/base/email-links';
import { findUser } from '../../accounts/base/queries';
import { nameOf } from '../base/names';
import { lookupSale } from '../base/queries';
import type { SubscriptionRow } from '../base/rules';
import { refundOf } from '../base/take-back-payment';
import {
  listDueParts,
  markRefused,
  markSent,
  markTold,
  type RefundPart,
  storeParts,
  sumGivenBack,
} from '../refunds/refund-parts';
import { syncRefunds } from '../refunds/refunds';
import { ignoreConflict, tellEnd } from './end-subscriptions';

/**
 * The job that ends a subscription now and refunds its unused part, because its show becomes free. The amount to refund
 * is stored first, because the provider can't compute it after the end. Every step may be repeated after a crash.
 */
export async function endWithRefund(ctx: Ctx, { subscriptionId }: { subscriptionId: number }): Promise<void> {
  const [row] = await ctx.db.select().from(subscriptions).where(eq(subscriptions.id, subscriptionId));
  // its amounts are stored, and a refund of them was repeated
  if (row?.purpose === 'plan') return giveBackDue(ctx, row.id);
  if (row?.endReason !== 'refunded') return;
  if (!row.endedAt) {
    await planRefund(ctx, row);
    await tellEnd(ctx, row, { when: 'now' });
  }
  await transact(ctx, (tx) => completeIfLast(tx, row));
  await giveBackDue(ctx, row.id);
  await transact(ctx, (tx) => tellSubscriber(tx, row));
}

async function planRefund(ctx: Ctx, row: SubscriptionRow): Promise<void> {
  const payments = ctx.ports.payments.on(row.account);
  const at = ctx.now();
  const { periodStart } = await payments.fetch.subscription(row.providerId);
  if (row.refundPlannedAt && row.refundPlannedAt >= periodStart) return;
  // the subscription has ended meanwhile, so the stored amounts apply
  const preview = await payments.previewEnd(row.providerId, at).catch(ignoreConflict);
  const former = preview && (await previewFormer(ctx, row, at));
  await ctx.reach('end-refund.previewed');
  if (!preview) return;
  const refunds = [...preview.refunds, ...(former?.refunds ?? [])];
  await transact(ctx, (tx) => storeParts(tx, row, { at, periodStart, refunds }));
}

/**
 * The rest of a period that was paid before the subscription moved to the creator's own account: only its former version
 * on our account knows it, until it ends with that period.
 */
async function previewFormer(ctx: Ctx, row: SubscriptionRow, at: Date): Promise<EndPreview | null> {
  const isMove = and(eq(subscriberMoveLines.subscriptionId, row.id), eq(subscriberMoveLines.toId, row.providerId));
  const [line] = await ctx.db
    .select({ fromId: subscriberMoveLines.fromId })
    .from(subscriberMoveLines)
    .where(and(isMove, eq(subscriberMoveLines.state, 'moved')));
  if (!line) return null;
  const preview = await ctx.ports.payments.on(null).previewEnd(line.fromId, at).catch(ignoreConflict);
  return preview ?? null;
}

/** The show becomes free once all subscriptions have ended. Their refunds may take longer. */
async function completeIfLast(tx: TxCtx, { productId }: SubscriptionRow): Promise<void> {
  if (productId === null) return;
  const isLeft = and(
    eq(subscriptions.productId, productId),
    eq(subscriptions.endReason, 'refunded'),
    isNull(subscriptions.endedAt),
  );
  const [left] = await tx.db.select({ id: subscriptions.id }).from(subscriptions).where(isLeft).limit(1);
  if (!left) await tx.jobs.enqueue(completeConversion, { productId });
}

/** Refunds the stored amounts whose time has come. Repeating it refunds nothing twice. */
export async function giveBackDue(ctx: Ctx, subscriptionId: number): Promise<void> {
  for (const part of await listDueParts(ctx, subscriptionId)) await giveBack(ctx, part);
}

/** The provider forgets keys after a day, so a repetition first searches for its refund. */
async function giveBack(ctx: Ctx, part: RefundPart): Promise<void> {
  const sale = await lookupSale(ctx, part.paymentId);
  const payments = ctx.ports.payments.on(sale?.sellerAccount ?? null);
  const { subscriptionId, paymentId, attempt, amountMinor, currency } = part;
  const key = `subscription/${subscriptionId}/end/${paymentId}/${attempt}`;
  const known = (await payments.listRefunds(paymentId)).find(({ reference }) => reference.end === key);
  const amount = { minor: amountMinor, currency };
  const request = { amount, reason: 'requested', ...refundOf(sale, { end: key }) } as const;
  const refund = known ?? (await payments.refund(paymentId, request, key).catch(ignoreRefusal));
  if (refund) await markSent(ctx, part, refund.id);
  await syncRefunds(ctx, paymentId);
  if (!refund) await markRefusedPart(ctx, part);
}

async function markRefusedPart(ctx: Ctx, part: RefundPart): Promise<void> {
  const sale = await lookupSale(ctx, part.paymentId);
  const left = sale ? sale.amountMinor - sale.refundedMinor : part.amountMinor;
  await transact(ctx, (tx) => markRefused(tx, part, left));
}

const REFUSALS = ['payments.conflict', 'payments.rejected'];
function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof AppError && REFUSALS.includes(error.code))) throw error;
}

/** Tells the subscriber once. A part that fails later is repeated, or the creator is told. */
async function tellSubscriber(tx: TxCtx, row: SubscriptionRow): Promise<void> {
  if (!(await markTold(tx, row.id))) return;
  const user = await findUser(tx, row.userId);
  if (user.deletedAt) return;
  const minor = await sumGivenBack(tx, row.id);
  const language = user.language ?? DEFAULT_LANGUAGE;
  await queueAccountEmail(tx, user, {
    topic: minor > 0 ? 'subscription_refunded' : 'subscription_ended_free',
    url: tx.urls.app(languagePrefix(language) + SUBSCRIPTIONS_PATH),
    show: await nameOf(tx, row),
    amount: formatMoney({ minor, currency: row.currency }, localeOf(language, user.country)),
  });
}

/** Resumes ends, refunds and returns of credit whose jobs ran out of attempts, or were lost. */
export async function recoverEndRefunds(ctx: Ctx): Promise<void> {
  const before = earlier(ctx.now(), END_REFUND_LIMITS.recoverAfter);
  const isUntold = and(eq(subscriptions.endReason, 'refunded'), isNull(subscriptions.refundToldAt));
  const untold = await ctx.db
    .select({ subscriptionId: subscriptions.id })
    .from(subscriptions)
    .where(and(isUntold, lt(subscriptions.updatedAt, before)))
    .orderBy(asc(subscriptions.id))
    .limit(END_REFUND_LIMITS.atOnce);
  const due = await ctx.db
    .selectDistinct({ subscriptionId: endRefunds.subscriptionId })
    .from(endRefunds)
    .where(and(eq(endRefunds.status, 'due'), lte(endRefunds.dueAt, before)))
    .limit(END_REFUND_LIMITS.atOnce);
  const ids = new Set([...untold, ...due].map(({ subscriptionId }) => subscriptionId));
  const planned = await listPlanned(ctx, before);
  await transact(ctx, async (tx) => {
    await tx.jobs.enqueueAll(
      refundEnd,
      [...ids].map((subscriptionId) => ({ subscriptionId })),
    );
    await tx.jobs.enqueueAll(refundPlanCredit, planned);
  });
}

/** Credit that was to be returned; a plan that has started meanwhile uses it up, and it stays planned. */
function listPlanned({ db, now }: Ctx, before: Date): Promise<{ subscriptionId: number }[]> {
  const isPlanned = and(eq(endRefunds.status, 'planned'), lte(endRefunds.dueAt, before));
  return db
    .selectDistinct({ subscriptionId: endRefunds.subscriptionId })
    .from(endRefunds)
    .where(and(isPlanned, gt(endRefunds.dueAt, earlier(now(), END_REFUND_LIMITS.plannedFor))))
    .limit(END_REFUND_LIMITS.atOnce);
}
