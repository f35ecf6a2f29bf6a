import { and, asc, eq, isNotNull, isNull, lt, or } from 'drizzle-orm';
import { subscriptions } from '~/db/schema/billing';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { formatDate, localeOf } from '../../../base/formats';
import { formatMoney } from '../../../base/money';
import { languagePrefix, MY_FEED_PATH, PAY_OVERDUE_PATH, SUBSCRIPTIONS_PATH } from '../../../base/public-paths';
import { DAYS, later } from '../../../base/time';
import { BILLING_LIMITS, OVERDUE_LIMITS } from '../../../limits/billing';
import { remindOverdue } from '../../../queue/jobs/billing';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { queueAccountEmail } from '../../accounts/base/email-links';
import { findUser } from '../../accounts/base/queries';
import { nameOf } from '../base/names';
import { overdueStep, type SubscriptionRow } from '../base/rules';
import { endQueued } from '../subscriptions/end-subscriptions';
import { syncSubscription } from '../subscriptions/subscriptions';
import { overdueToken } from './overdue-links';

/** Enqueues the steps that are due for failed renewals. A schedule calls it, so a killed process loses nothing. */
export async function remindAllOverdue(ctx: Ctx): Promise<void> {
  const rows = await ctx.db
    .select({ subscriptionId: subscriptions.id })
    .from(subscriptions)
    .where(and(isNotNull(subscriptions.pastDueSince), isNull(subscriptions.endedAt)))
    .orderBy(asc(subscriptions.pastDueSince))
    .limit(OVERDUE_LIMITS.atOnce);
  await transact(ctx, (tx) => tx.jobs.enqueueAll(remindOverdue, rows));
}

/**
 * Sends the reminder whose day has come, once, or ends the subscription on the last day. Checks at the provider first:
 * people who have paid get neither.
 */
export async function remindOrEnd(ctx: Ctx, { subscriptionId }: { subscriptionId: number }): Promise<void> {
  // a job may have been killed before the last email
  await transact(ctx, (tx) => tellEnded(tx, subscriptionId));
  const known = await lookupOverdue(ctx, subscriptionId);
  if (!known || overdueStep(known, ctx.now()) === null) return;
  await syncSubscription(ctx, known.providerId);
  const row = await lookupOverdue(ctx, subscriptionId);
  const step = row && overdueStep(row, ctx.now());
  if (!step) return;
  await ctx.reach('overdue.read');
  if (!step.end) return transact(ctx, (tx) => sendReminder(tx, row, step.day));
  await transact(ctx, (tx) => markUnpaid(tx, row));
  await endQueued(ctx, { subscriptionId, reason: 'unpaid', when: 'now' });
  await transact(ctx, (tx) => tellEnded(tx, subscriptionId));
}

async function lookupOverdue(ctx: Pick<Ctx, 'db'>, id: number): Promise<SubscriptionRow | null> {
  const isOverdue = and(eq(subscriptions.id, id), isNotNull(subscriptions.pastDueSince), isNull(subscriptions.endedAt));
  const [row] = await ctx.db.select().from(subscriptions).where(isOverdue);
  return row ?? null;
}

/** The condition on the row decides who sends: of two concurrent jobs, the second one finds it changed. */
async function sendReminder(tx: TxCtx, row: SubscriptionRow, day: number): Promise<void> {
  const isNew = or(isNull(subscriptions.reminderSent), lt(subscriptions.reminderSent, day));
  const marked = await tx.db
    .update(subscriptions)
    .set({ reminderSent: day, updatedAt: tx.now() })
    .where(and(eq(subscriptions.id, row.id), isNew, isNotNull(subscriptions.pastDueSince)))
    .returning({ id: subscriptions.id });
  if (marked.length === 0) return;
  const { declined, unconfirmed } = row.purpose === 'donation' ? DONATION : (REMINDERS[day] ?? REMINDER);
  await emailPayer(tx, row, row.confirmationUrl ? unconfirmed : declined);
}

type Reminder = { declined: Topic; unconfirmed: Topic };
const REMINDER: Reminder = { declined: 'payment_reminder', unconfirmed: 'payment_still_unconfirmed' };
/** A donation gives no access that could end. */
const DONATION: Reminder = { declined: 'donation_failed', unconfirmed: 'donation_unconfirmed' };
/** Access ends on the seventh day; the end of the subscription follows. */
const ENDED: Reminder = { declined: 'access_ended', unconfirmed: 'access_ended_unconfirmed' };
const REMINDERS: Record<number, Reminder> = {
  0: { declined: 'payment_failed', unconfirmed: 'payment_unconfirmed' },
  7: ENDED,
  12: ENDED,
};

async function markUnpaid(tx: TxCtx, { id }: SubscriptionRow): Promise<void> {
  const unpaid = { endReason: 'unpaid', updatedAt: tx.now() } as const;
  await tx.db.update(subscriptions).set(unpaid).where(eq(subscriptions.id, id));
}

/** Tells the subscriber once: a repeated job finds the mark. */
async function tellEnded(tx: TxCtx, id: number): Promise<void> {
  const [row] = await tx.db
    .update(subscriptions)
    .set({ reminderSent: OVERDUE_LIMITS.end })
    .where(
      and(
        eq(subscriptions.id, id),
        eq(subscriptions.endReason, 'unpaid'),
        isNotNull(subscriptions.endedAt),
        or(isNull(subscriptions.reminderSent), lt(subscriptions.reminderSent, OVERDUE_LIMITS.end)),
      ),
    )
    .returning();
  if (row) await emailPayer(tx, row, row.purpose === 'donation' ? 'donation_unpaid' : 'subscription_unpaid');
}

type Topic =
  | 'payment_failed'
  | 'payment_unconfirmed'
  | 'payment_reminder'
  | 'payment_still_unconfirmed'
  | 'access_ended'
  | 'access_ended_unconfirmed'
  | 'subscription_unpaid'
  | 'donation_failed'
  | 'donation_unconfirmed'
  | 'donation_unpaid';

/** Where an email about an end leads: there is nothing left to pay. */
const LISTS: Partial<Record<Topic, string>> = {
  subscription_unpaid: SUBSCRIPTIONS_PATH,
  donation_unpaid: `${MY_FEED_PATH}?view=donations`,
};

async function emailPayer(tx: TxCtx, row: SubscriptionRow, topic: Topic): Promise<void> {
  const user = await findUser(tx, row.userId);
  const language = user.language ?? DEFAULT_LANGUAGE;
  const { currency, priceMinor: minor } = row;
  const since = row.pastDueSince ?? tx.now();
  const locale = localeOf(language, user.country);
  const day = (at: Date) => formatDate(at, locale);
  const path = LISTS[topic] ?? `${PAY_OVERDUE_PATH}?token=${encodeURIComponent(overdueToken(tx, row))}`;
  await queueAccountEmail(tx, user, {
    topic,
    url: tx.urls.app(languagePrefix(language) + path),
    show: await nameOf(tx, row),
    amount: formatMoney({ minor, currency }, locale),
    access: day(later(since, BILLING_LIMITS.grace)),
    end: day(later(since, DAYS(OVERDUE_LIMITS.end))),
  });
}
