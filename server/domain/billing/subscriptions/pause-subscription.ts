import { randomUUID } from 'node:crypto';
import { and, desc, eq, isNotNull, isNull, ne, or, sum } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { subscriptions } from '~/db/schema/billing';
import { subscriptionSums } from '~/db/schema/subscription-sums';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { formatDate, localeOf } from '../../../base/formats';
import type { Money } from '../../../base/money';
import type { Page } from '../../../base/paging';
import { languagePrefix, SUBSCRIPTIONS_PATH } from '../../../base/public-paths';
import { earlier, HOURS, monthsLater } from '../../../base/time';
import { MANAGING_LIMITS } from '../../../limits/billing';
import { authorize } from '../../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { queueAccountEmail } from '../../accounts/base/email-links';
import { findUser } from '../../accounts/base/queries';
import { requireFeature } from '../../plans/features';
import { findProductRecord } from '../../products/queries';
import { recordAbout } from '../../team/activity';
import { notPausable, subscriptionEnded, subscriptionNotFound } from '../base/errors';
import { nameOf } from '../base/names';
import type { SubscriptionRow } from '../base/rules';
import type { FindSubscription, ListPausable, PauseSubscription } from '../base/schema';
import { syncSubscription } from './subscriptions';

/** Whether a subscription is monthly, paid, and has no end. A trial has nothing to skip yet. */
const IS_PAUSABLE = and(
  eq(subscriptions.every, 'month'),
  isNull(subscriptions.endsAt),
  isNull(subscriptions.pastDueSince),
  ne(subscriptions.status, 'trialing'),
);

/** A subscriber whom the creator may pause. */
export type PausableView = {
  id: number;
  name: string;
  email: string;
  price: Money;
  periodEnd: Date;
  pausedFrom: Date | null;
  pausedUntil: Date | null;
};

/**
 * A page of the show's paused subscriptions and of those that can be paused, the newest first. The total is stored
 * (docs/decisions/0312). @throws product.not_found
 */
export async function listPausable(ctx: Ctx, { id, kind, page }: ListPausable): Promise<Page<PausableView>> {
  const { product } = await findProductRecord(ctx, id, kind);
  const own = authorize(ctx, 'product.price', product);
  const pageSize = MANAGING_LIMITS.pausablePerPage;
  const where = and(
    eq(subscriptions.productId, own.id),
    isNull(subscriptions.endedAt),
    or(IS_PAUSABLE, isNotNull(subscriptions.pausedUntil)),
  );
  const [rows, total] = await Promise.all([
    ctx.db
      .select({ subscription: subscriptions, name: users.name, email: users.email })
      .from(subscriptions)
      .innerJoin(users, eq(users.id, subscriptions.userId))
      .where(where)
      .orderBy(desc(subscriptions.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    countPausable(ctx, own),
  ]);
  return { items: rows.map(toPausable), total, page, pageSize };
}

async function countPausable({ db }: Ctx, { id, creatorId }: { id: number; creatorId: number }): Promise<number> {
  const [row] = await db
    .select({ total: sum(subscriptionSums.subscriptions).mapWith(Number) })
    .from(subscriptionSums)
    .where(
      and(
        eq(subscriptionSums.creatorId, creatorId),
        eq(subscriptionSums.productId, id),
        eq(subscriptionSums.isPausable, true),
      ),
    );
  return row?.total ?? 0;
}

type PausableRow = { subscription: SubscriptionRow; name: string; email: string };

const toPausable = ({ subscription, name, email }: PausableRow): PausableView => ({
  ...{ id: subscription.id, name, email },
  price: { minor: subscription.priceMinor, currency: subscription.currency },
  periodEnd: subscription.periodEnd,
  pausedFrom: subscription.pausedFrom,
  pausedUntil: subscription.pausedUntil,
});

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
