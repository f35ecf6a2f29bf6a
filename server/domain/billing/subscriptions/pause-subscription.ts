import { randomUUID } from 'node:crypto';
import { and, eq, isNotNull, isNull, ne, or } from 'drizzle-orm';
import { subscriptions } from '~/db/schema/billing';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { formatDate, localeOf } from '../../../base/formats';
import { languagePrefix, SUBSCRIPTIONS_PATH } from '../../../base/public-paths';
import { earlier, HOURS, monthsLater } from '../../../base/time';
import { authorize } from '../../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { queueAccountEmail } from '../../accounts/base/email-links';
import { findUser } from '../../accounts/base/queries';
import { requireFeature } from '../../plans/features';
import { recordAbout } from '../../team/activity';
import { notPausable, subscriptionEnded, subscriptionNotFound } from '../base/errors';
import { nameOf } from '../base/names';
import type { SubscriptionRow } from '../base/rules';
import type { FindSubscription, PauseSubscription } from '../base/schema';
import { syncSubscription } from './subscriptions';

/** Whether a subscription is monthly, paid, and has no end. A trial has nothing to skip yet. */
const IS_PAUSABLE = and(
  eq(subscriptions.every, 'month'),
  isNull(subscriptions.endsAt),
  isNull(subscriptions.pastDueSince),
  ne(subscriptions.status, 'trialing'),
);

/** A running subscription that the creator may pause, or has paused. */
export type PausableView = { id: number; periodEnd: Date; pausedFrom: Date | null; pausedUntil: Date | null };

/** A person's subscription to a show that can be paused or is; null without one. Callers check the role. */
export async function lookupPausable(
  { db }: Pick<Ctx, 'db'>,
  { productId, userId }: { productId: number; userId: number },
): Promise<PausableView | null> {
  const { id, periodEnd, pausedFrom, pausedUntil } = subscriptions;
  const [row] = await db
    .select({ id, periodEnd, pausedFrom, pausedUntil })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.productId, productId),
        eq(subscriptions.userId, userId),
        eq(subscriptions.purpose, 'show'),
        isNull(subscriptions.endedAt),
        or(IS_PAUSABLE, isNotNull(pausedUntil)),
      ),
    );
  return row ?? null;
}

/**
 * Pauses a subscriber for some months from the end of the paid period (decisions, 'Pausing a subscription'): until then
 * they can listen, then they neither listen nor pay, and the subscription resumes by itself. Repeating it changes the
 * length.
 * @throws billing.subscription_not_found, billing.subscription_ended, billing.not_pausable, plan.pausing_required
 */
export async function pauseSubscription(ctx: Ctx, { id, months }: PauseSubscription): Promise<void> {
  const row = await findOwn(ctx, id);
  await requireFeature(ctx, row.creatorId, 'pausing');
  if ((await ctx.db.$count(subscriptions, and(eq(subscriptions.id, id), IS_PAUSABLE))) === 0) throw notPausable();
  const from = row.pausedFrom ?? row.periodEnd;
  // shortly before the next payment is due
  const until = earlier(monthsLater(from, months), HOURS(1));
  await ctx.ports.payments.on(row.account).pause(row.providerId, until, `subscription/${randomUUID()}`);
  await syncSubscription(ctx, row.providerId);
  await transact(ctx, (tx) => tellSubscriber(tx, row, { from, until: monthsLater(from, months) }));
}

/** Ends a pause at once: the subscriber can listen again, and pays at the next renewal. Repeating it is harmless. */
export async function endPause(ctx: Ctx, { id }: FindSubscription): Promise<void> {
  const row = await findOwn(ctx, id);
  if (!row.pausedUntil) return;
  await ctx.ports.payments.on(row.account).resumeCollection(row.providerId, `subscription/${randomUUID()}`);
  await syncSubscription(ctx, row.providerId);
  const about = { id: row.productId!, creatorId: row.creatorId, name: await nameOf(ctx, row) };
  await transact(ctx, (tx) => recordAbout(tx, 'subscription.resumed', about));
}

/**
 * A subscription to a show of the creator for whom the user works.
 * @throws billing.subscription_not_found, also for another creator's subscriptions
 */
async function findOwn(ctx: Ctx, id: number): Promise<SubscriptionRow> {
  const [row] = await ctx.db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.id, id), eq(subscriptions.purpose, 'show')));
  if (!row) throw subscriptionNotFound();
  const own = authorize(ctx, 'product.price', row);
  if (own.endedAt) throw subscriptionEnded();
  return row;
}

async function tellSubscriber(
  tx: TxCtx,
  row: SubscriptionRow,
  { from, until }: { from: Date; until: Date },
): Promise<void> {
  const show = await nameOf(tx, row);
  await recordAbout(tx, 'subscription.paused', { id: row.productId!, creatorId: row.creatorId, name: show });
  const user = await findUser(tx, row.userId);
  const language = user.language ?? DEFAULT_LANGUAGE;
  const day = (at: Date) => formatDate(at, localeOf(language, user.country));
  const url = tx.urls.app(languagePrefix(language) + SUBSCRIPTIONS_PATH);
  await queueAccountEmail(tx, user, {
    topic: 'subscription_paused',
    url,
    show,
    from: day(from),
    until: day(until),
  });
}
