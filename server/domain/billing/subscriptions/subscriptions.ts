import { and, eq, inArray, lte, sql } from 'drizzle-orm';
import { subscriptions } from '~/db/schema/billing';
import { subscriberMoveLines } from '~/db/schema/moving';
import type { Subscription } from '../../../adapters/payments/objects';
import { inOurs } from '../../../base/money';
import { earlier } from '../../../base/time';
import { BILLING_LIMITS } from '../../../limits/billing';
import { PLANS_FOR_SALE, type PlanCode } from '../../../limits/plans';
import { refundPlanCredit } from '../../../queue/jobs/billing';
import { enrolContact } from '../../../queue/jobs/newsletter';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { endAccess, grantAccess } from '../../access/grant-access';
import { onAccount } from '../../payouts/seller-status';
import { choosePlan } from '../../plans/choose-plan';
import { keepPlanPeriod } from '../../plans/plan-periods';
import {
  type CheckoutRow,
  lockSubscription,
  lookupCheckout,
  lookupOpenPlanPage,
  lookupOwnCheckout,
  lookupPlanSubscription,
  lookupSale,
  lookupSubscription,
} from '../base/queries';
import { accessOf, isLeft, isOverdue, isUnconfirmed, isUnpaidAttempt, type SubscriptionRow } from '../base/rules';
import { recordSale } from '../base/sales';
import { takeBack } from '../base/take-back-payment';
import { settleCheckout } from '../checkout/settle-checkout';
import { syncRefunds } from '../refunds/refunds';

/** Writes a subscription as the payment provider shows it now, with its access or plan, and its last payment. */
export async function syncSubscription(at: Ctx, providerId: string): Promise<void> {
  const known = await lookupSubscription(at, providerId);
  const ctx = known ? onAccount(at, known.account) : at;
  const fetchedAt = ctx.now();
  const found = await ctx.ports.payments.fetch.subscription(providerId);
  await ctx.reach('subscription.fetched');
  const checkout = await checkoutOf(ctx, { found, known });
  if (!checkout)
    return ctx.log.info({ subscription: providerId }, 'event about a subscription of another installation');
  if (isUnpaidAttempt(found) || (await isMovedAway(ctx, found))) return;
  const confirmationUrl = await lookupConfirmationUrl(ctx, found);
  const settled = await transact(ctx, async (tx) => {
    const row = await settleCheckout(tx, { checkoutId: checkout.id, subscription: found });
    const writing = { found, confirmationUrl, checkout: row, fetchedAt };
    if (row.refusedFor === null || found.endedAt) await writeSubscription(tx, writing);
    return row;
  });
  // the provider keeps the pages of open invoices, on which payers could still pay for nothing
  if (found.endedAt) await ctx.ports.payments.voidOpenInvoices(providerId);
  if (found.latestInvoice) await syncInvoicePayment(ctx, found.latestInvoice);
  if (settled.refusedFor && !found.endedAt) await endRefused(ctx, settled, found);
}

/** Where the payer confirms a failed renewal, if the bank asks for that instead of another card. */
async function lookupConfirmationUrl({ ports }: Ctx, found: Subscription): Promise<string | null> {
  if (!isOverdue(found) || !found.latestInvoice) return null;
  const { payment, pageUrl } = await ports.payments.fetch.invoice(found.latestInvoice);
  const needsOwner = payment !== null && isUnconfirmed(await ports.payments.fetch.payment(payment));
  return needsOwner ? pageUrl : null;
}

type Referring = { found: Subscription; known: SubscriptionRow | null };

/**
 * The checkout that started the subscription; if the subscription has moved to another account, the stored checkout.
 */
function checkoutOf(ctx: Ctx, { found, known }: Referring): Promise<CheckoutRow | null> {
  const isWritten = known !== null && known.account === ctx.ports.payments.account && known.checkoutId !== null;
  return isWritten ? lookupCheckout(ctx, known.checkoutId!) : lookupOwnCheckout(ctx, found.reference.checkout);
}

/**
 * After a subscription has moved to the creator's own account, its former version on our account ends with its period:
 * that does not mean that the subscriber leaves. The moved subscription is stored under its new id.
 */
async function isMovedAway({ db }: Ctx, { id }: Subscription): Promise<boolean> {
  const { fromId, state } = subscriberMoveLines;
  return (await db.$count(subscriberMoveLines, and(eq(fromId, id), inArray(state, ['moving', 'moved'])))) > 0;
}

/** A second subscription to the same item is cancelled and refunded, and then written as ended. */
async function endRefused(ctx: Ctx, checkout: CheckoutRow, { id, latestInvoice }: Subscription): Promise<void> {
  const invoice = latestInvoice ? await ctx.ports.payments.fetch.invoice(latestInvoice) : null;
  const payment = invoice?.payment ?? undefined;
  await takeBack(ctx, checkout, { subscription: id, payment });
  if (payment) await syncRefunds(ctx, payment);
  await syncSubscription(ctx, id);
}

/** Writes an invoice's subscription, and its payment if it has one. Payments of purchases are written separately. */
export async function syncInvoice(ctx: Ctx, providerId: string): Promise<void> {
  const invoice = await ctx.ports.payments.fetch.invoice(providerId);
  if (!invoice.subscription) return;
  await syncSubscription(ctx, invoice.subscription);
  await syncInvoicePayment(ctx, providerId);
}

async function syncInvoicePayment(ctx: Ctx, providerId: string): Promise<void> {
  const { payments } = ctx.ports;
  const invoice = await payments.fetch.invoice(providerId);
  if (invoice.status !== 'paid' || !invoice.payment || !invoice.subscription) return;
  const known = await lookupSale(ctx, invoice.payment);
  if (known && known.providerFeeMinor !== null) return;
  const [payment, subscription] = await Promise.all([
    payments.fetch.payment(invoice.payment),
    payments.fetch.subscription(invoice.subscription),
  ]);
  const row = await lookupSubscription(ctx, invoice.subscription);
  const checkout = await checkoutOf(ctx, { found: subscription, known: row });
  if (!checkout || isOfFormerHost(checkout, invoice.paidAt)) return;
  await syncPlanOfSale(ctx, checkout, invoice.paidAt ?? payment.createdAt);
  await recordSale(ctx, { payment, invoice, checkout, subscription: row });
}

/**
 * Asks the provider for the seller's plan before a sale is recorded with its commission, if news of that plan may be
 * missing: a payment page for a plan is open, or the sale itself is late.
 */
export async function syncPlanOfSale(ctx: Ctx, { purpose, creatorId }: CheckoutRow, paidAt: Date): Promise<void> {
  if (purpose === 'plan' || creatorId === null) return;
  const platform = onAccount(ctx, null);
  const page = await lookupOpenPlanPage(ctx, creatorId);
  const paid = page === null ? null : await platform.ports.payments.fetch.checkout(page);
  if (paid?.settled && paid.subscription) return syncSubscription(platform, paid.subscription);
  if (paidAt > earlier(ctx.now(), BILLING_LIMITS.lateSale)) return;
  const running = await lookupPlanSubscription(ctx, creatorId);
  if (running) await syncSubscription(platform, running.providerId);
}

/** Whether an imported subscription's payment was made at the former host. */
const isOfFormerHost = ({ terms, createdAt }: CheckoutRow, paidAt: Date | null): boolean =>
  terms.isBrought === true && paidAt !== null && paidAt <= createdAt;

type Writing = { found: Subscription; confirmationUrl: string | null; checkout: CheckoutRow; fetchedAt: Date };

async function writeSubscription(tx: TxCtx, writing: Writing): Promise<void> {
  // locked, so that a concurrent end is decided before or after this (end-subscriptions.ts)
  const before = await lockSubscription(tx, writing.found.id);
  await tx.reach('subscription.read');
  const values = toRow(tx, writing, before);
  const { providerId, account, checkoutId, purpose, userId, creatorId, productId, startedAt, createdAt, ...changes } =
    values;
  const [row] = await tx.db
    .insert(subscriptions)
    .values(values)
    .onConflictDoUpdate({
      target: subscriptions.providerId,
      set: changes,
      // fetched before the last write, so the stored state is newer
      setWhere: lte(subscriptions.syncedAt, sql`excluded.synced_at`),
    })
    .returning();
  if (!row || writing.checkout.refusedFor) return;
  await applyAccess(tx, row);
  if (isLeft(row, before)) {
    const { userId, productId } = row;
    await tx.jobs.enqueue(enrolContact, { trigger: 'cancellation', userId, productId, at: tx.now().toISOString() });
  }
  if (row.purpose === 'plan') await applyPlan(tx, row, writing.found.reference.planSince);
  if (row.purpose === 'plan' && row.endedAt && !before?.endedAt)
    await tx.jobs.enqueue(refundPlanCredit, { subscriptionId: row.id });
}

function toRow(tx: TxCtx, { found, confirmationUrl, checkout, fetchedAt }: Writing, before: SubscriptionRow | null) {
  const { id, price, paused, resumesAt, customer, card, latestInvoice } = found;
  const { status, every, startedAt, periodStart, periodEnd, trialEnd, endsAt, endedAt } = found;
  const { purpose, userId, creatorId, productId } = checkout;
  return {
    providerId: id,
    customerId: customer,
    account: tx.ports.payments.account,
    checkoutId: checkout.id,
    purpose: purpose as SubscriptionRow['purpose'],
    userId: userId!,
    creatorId: creatorId!,
    productId,
    plan: purpose === 'plan' ? planOf(found, checkout, before) : null,
    ...{ status, every, startedAt, periodStart, periodEnd, trialEnd, endsAt, endedAt, latestInvoice },
    priceMinor: price.minor,
    currency: inOurs(price).currency,
    // paused without an end, until the creator resumes it
    pausedUntil: paused ? (resumesAt ?? periodEnd) : null,
    // periods that begin during the pause are not paid
    pausedFrom: paused ? (before?.pausedFrom ?? periodEnd) : null,
    pastDueSince: isOverdue(found) ? (before?.pastDueSince ?? periodStart) : null,
    confirmationUrl,
    reminderSent: isOverdue(found) ? (before?.reminderSent ?? null) : null,
    endReason: endReasonOf(found, before) ?? (endsAt || endedAt ? reasonOf(checkout) : null),
    cardId: card,
    syncedAt: fetchedAt,
    createdAt: tx.now(),
    updatedAt: tx.now(),
  } satisfies typeof subscriptions.$inferInsert;
}

const reasonOf = ({ refusedFor }: CheckoutRow): SubscriptionRow['endReason'] =>
  refusedFor && (refusedFor === 'not_for_sale' ? 'show_becomes_free' : 'duplicate');

/** A reason is written before the provider is told (end-subscriptions.ts); calling off a scheduled end removes it. */
function endReasonOf({ endsAt, endedAt }: Subscription, before: SubscriptionRow | null): SubscriptionRow['endReason'] {
  const isCalledOff = before?.endsAt && !endsAt && !endedAt;
  if (isCalledOff && before.endReason !== 'refunded') return null;
  return before?.endReason ?? (endedAt && before?.pastDueSince ? 'unpaid' : null);
}

/** Every change writes its plan into the reference; before the first change, the plan is the one that was bought. */
function planOf({ reference }: Subscription, { terms }: CheckoutRow, before: SubscriptionRow | null): PlanCode {
  return PLANS_FOR_SALE.find((code) => code === reference.plan) ?? before?.plan ?? terms.plan ?? 'BASIC';
}

/** Applies the subscription's access or plan, in the transaction that writes it. */
export async function applyAccess(tx: TxCtx, row: SubscriptionRow): Promise<void> {
  const { purpose, userId, productId } = row;
  const access = accessOf(row);
  if (purpose !== 'show' || productId === null || !access) return;
  const key = { userId, productId, source: 'subscription' } as const;
  if (row.endedAt) await endAccess(tx, { ...key, at: row.endedAt });
  else await grantAccess(tx, { ...key, ...access });
}

async function applyPlan(tx: TxCtx, row: SubscriptionRow, changedAt: string | undefined): Promise<void> {
  const { creatorId, providerId: subscription, plan, endedAt, startedAt } = row;
  const endsAt = endedAt ?? row.endsAt;
  await choosePlan(tx, { creatorId, plan: endedAt ? null : plan, since: startedAt, endsAt: endedAt ? null : endsAt });
  const startsAt = changedAt ? new Date(changedAt) : startedAt;
  if (plan) await keepPlanPeriod(tx, { creatorId, subscription, plan, startsAt, endsAt });
}
