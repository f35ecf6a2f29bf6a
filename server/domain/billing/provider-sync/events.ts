import { and, asc, eq, gte, inArray, isNull, lt, sql } from 'drizzle-orm';
import { checkouts, paymentEvents } from '~/db/schema/checkouts';
import type { PaymentEvent } from '../../../adapters/payments/payment-events';
import { AppError } from '../../../base/errors';
import { earlier } from '../../../base/time';
import { BILLING_LIMITS } from '../../../limits/billing';
import { handlePaymentEvent, syncOpenCheckout } from '../../../queue/jobs/billing';
import { type Ctx, transact } from '../../../runtime/ctx';
import { lookupHeldAccount } from '../../payouts/queries';
import { syncSellerAccount } from '../../payouts/seller-account';
import { onAccount } from '../../payouts/seller-status';
import { lookupCheckout } from '../base/queries';
import { closeRow } from '../checkout/checkouts';
import { syncRefunds } from '../refunds/refunds';
import { loseAccount } from '../subscriptions/lost-accounts';
import { syncInvoice, syncSubscription } from '../subscriptions/subscriptions';
import { syncCards } from './cards';
import { syncDispute } from './disputes';
import { isForeign } from './foreign-events';
import { learnFee } from './learn-fee';
import { syncWarning } from './payment-warnings';
import { syncCheckout, syncPayment } from './sync-checkout';

/**
 * Stores an event of the payment provider and queues it, once. @param body the bytes as they arrived
 * @throws payments.signature_invalid, also for a signature older than 5 minutes
 */
export async function receiveEvent(ctx: Ctx, { body, signature }: { body: string; signature: string }): Promise<void> {
  const event = await ctx.ports.payments.readWebhook(body, signature, ctx.now());
  await storeEvents(ctx, [event]);
}

/** Skips events that are already stored. */
export async function storeEvents(ctx: Ctx, events: PaymentEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => ({ id: event.id, event, at: event.at, receivedAt: ctx.now() }));
  await transact(ctx, async (tx) => {
    const inserted = await tx.db
      .insert(paymentEvents)
      .values(rows)
      .onConflictDoNothing()
      .returning({ eventId: paymentEvents.id });
    await tx.jobs.enqueueAll(handlePaymentEvent, inserted);
  });
}

/** The number of events that arrived in a period and are not handled yet. */
export const countWaitingEvents = ({ db }: Pick<Ctx, 'db'>, { from, until }: { from: Date; until: Date }) =>
  db.$count(
    paymentEvents,
    and(isNull(paymentEvents.handledAt), gte(paymentEvents.receivedAt, from), lt(paymentEvents.receivedAt, until)),
  );

/** Writes the current state of an event's object. An event is only a hint, so it may arrive late or twice. */
export async function handleEvent(ctx: Ctx, { eventId }: { eventId: string }): Promise<void> {
  const [row] = await ctx.db.select().from(paymentEvents).where(eq(paymentEvents.id, eventId));
  if (!row || row.handledAt) return;
  try {
    await syncOwnEvent(ctx, row.event);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'payments.not_found')) throw error;
    ctx.log.info({ event: eventId, type: row.event.type }, 'event about an unknown object');
  }
  await ctx.db.update(paymentEvents).set({ handledAt: ctx.now() }).where(eq(paymentEvents.id, eventId));
}

/** Events of unconnected accounts, and events about objects of other accounts, are ignored. */
async function syncOwnEvent(ctx: Ctx, event: PaymentEvent): Promise<void> {
  const { account, type, id } = event;
  if (await isForeign(ctx, event))
    return ctx.log.warn({ event: id, type, account }, 'event of another account ignored');
  await syncEvent(onAccount(ctx, account), event);
}

/** Handles each type that the adapter knows, and no other: endpoints subscribe to exactly these. */
async function syncEvent(ctx: Ctx, event: PaymentEvent): Promise<void> {
  switch (event.type) {
    case 'checkout_completed':
    case 'checkout_expired':
      return syncCheckout(ctx, event.checkout);
    case 'subscription_changed':
    case 'subscription_ended':
    case 'trial_ending':
      return syncSubscription(ctx, event.subscription);
    case 'invoice_paid':
    case 'invoice_failed':
    case 'invoice_needs_customer':
      return syncInvoice(ctx, event.invoice);
    case 'payment_succeeded':
    case 'payment_failed':
      return syncPayment(ctx, event.payment);
    case 'charge_changed':
      return event.payment ? learnFee(ctx, event.payment) : undefined;
    case 'refunded':
    case 'refund_changed':
      return event.payment ? syncRefunds(ctx, event.payment) : undefined;
    case 'dispute_opened':
    case 'dispute_changed':
    case 'dispute_closed':
      return syncDispute(ctx, event.dispute);
    case 'payment_warning':
      return syncWarning(ctx, event);
    case 'card_added':
    case 'card_changed':
    case 'card_removed':
      return event.customer ? syncCards(ctx, event.customer) : undefined;
    case 'account_changed':
      return syncSellerAccount(ctx, event.connected);
    case 'account_disconnected':
      return event.account === null ? undefined : loseAccount(ctx, event.account);
    case 'other':
      return undefined;
  }
}

/**
 * Handles events again whose jobs ran out of attempts, and checks payment pages whose events were lost. Events without
 * a retry go first, so events that always fail do not delay others.
 */
export async function recoverPayments(ctx: Ctx): Promise<void> {
  const { waitingEvents, openCheckouts } = BILLING_LIMITS;
  const open = await ctx.db
    .select({ checkoutId: checkouts.id })
    .from(checkouts)
    .where(and(eq(checkouts.status, 'open'), lt(checkouts.expiresAt, ctx.now())))
    .orderBy(asc(checkouts.expiresAt))
    .limit(openCheckouts.atOnce);
  await transact(ctx, async (tx) => {
    const waiting = tx.db
      .select({ id: paymentEvents.id })
      .from(paymentEvents)
      .where(
        and(isNull(paymentEvents.handledAt), lt(paymentEvents.receivedAt, earlier(tx.now(), waitingEvents.olderThan))),
      )
      .orderBy(sql`${paymentEvents.retriedAt} asc nulls first`, asc(paymentEvents.receivedAt))
      .limit(waitingEvents.atOnce)
      .for('update', { skipLocked: true });
    const retried = await tx.db
      .update(paymentEvents)
      .set({ retriedAt: tx.now() })
      .where(inArray(paymentEvents.id, waiting))
      .returning({ eventId: paymentEvents.id });
    await tx.jobs.enqueueAll(handlePaymentEvent, retried);
    await tx.jobs.enqueueAll(syncOpenCheckout, open);
  });
}

/**
 * A page that has expired: it was paid, or left unpaid, or never opened at the provider. If the provider has failed to
 * show it for too long, it is not checked again.
 */
export async function syncExpiredCheckout(ctx: Ctx, { checkoutId }: { checkoutId: string }): Promise<void> {
  const row = await lookupCheckout(ctx, checkoutId);
  if (row?.status !== 'open') return;
  const isElsewhere = row.account !== null && (await lookupHeldAccount(ctx, row.account)) === null;
  const isLost = isElsewhere || row.expiresAt < earlier(ctx.now(), BILLING_LIMITS.kept);
  if (row.providerId && !isLost) return syncCheckout(ctx, row.providerId);
  await transact(ctx, (tx) => closeRow(tx, row));
}
