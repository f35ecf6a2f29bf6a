import { and, desc, eq, inArray, isNotNull, type SQLWrapper, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { sales, subscriptions } from '~/db/schema/billing';
import { gifts } from '~/db/schema/gifts';
import { wholeSeconds } from '../../../base/time';
import { BILLING_LIMITS } from '../../../limits/billing';
import type { Ctx } from '../../../runtime/ctx';
import type { ProductRow } from '../../products/queries';
import type { BuyerState } from '../base/kinds';

export type Db = Pick<Ctx, 'db' | 'now'>;

/** People by their ids, or by a query for those. */
export type Who = number[] | SQLWrapper;
export type People = ReturnType<typeof peopleOf>;

/** One row for each of the show's buyers among these people. Their grants and their latest subscription decide the state. */
export function peopleOf(ctx: Db, show: ProductRow, who: Who) {
  const { db } = ctx;
  const reasons = reasonsOf(ctx, show, who);
  const latest = latestSubscriptions(ctx, show.id, who);
  const { state, until } = stateColumns(ctx.now(), { reasons, latest, showId: show.id });
  const renews = sql`${latest.isRunning} and ${latest.endsAt} is null and ${latest.pausedUntil} is null`;
  const renewal = sql<Date | null>`case when ${renews} then ${latest.periodEnd} end`;
  return db
    .select({
      userId: reasons.userId,
      name: sql<string | null>`case when ${state} <> 'invited' then ${users.name} end`.as('shown_name'),
      email: sql<string>`${users.email}`.as('shown_email'),
      state: state.as('state'),
      until: until.mapWith(subscriptions.endsAt).as('until'),
      since: reasons.since,
      renewsAt: renewal.mapWith(subscriptions.periodEnd).as('renews_at'),
      every: sql<'month' | 'year' | null>`case when ${latest.isRunning} then ${latest.every} end`.as('interval'),
      priceMinor: sql<number | null>`case when ${latest.isRunning} then ${latest.priceMinor} end`.as('price'),
      subscription: sql<string | null>`${latest.providerId}`.as('subscription'),
      customer: sql<string | null>`${latest.customerId}`.as('customer'),
      account: sql<string | null>`${latest.account}`.as('account'),
    })
    .from(reasons)
    .innerJoin(users, eq(users.id, reasons.userId))
    .leftJoin(latest, eq(latest.userId, reasons.userId))
    .as('people');
}

/** People are listed for their grants, and for payments for gifts. Followers of a paid show are not buyers. */
function reasonsOf({ db, now }: Db, { id, priceMinor }: ProductRow, who: Who) {
  const { startsAt: at, endsAt, source } = grants;
  const isFollow = sql<boolean>`${source} = 'follow'`;
  const ofGrants = db
    .select({ userId: grants.userId, at, endsAt, source: sql<string>`${source}`.as('source') })
    .from(grants)
    .where(
      and(
        eq(grants.productId, id),
        priceMinor === null ? undefined : sql`not ${isFollow}`,
        inArray(grants.userId, who),
      ),
    );
  const ofSales = db
    .select({
      userId: sql<number>`${sales.userId}`,
      at: sales.paidAt,
      endsAt: sales.paidAt,
      source: sql<string>`'sale'`,
    })
    .from(sales)
    .where(and(eq(sales.productId, id), isNotNull(sales.userId), inArray(sales.userId, who)));
  const reasons = unionAll(ofGrants, ofSales).as('reasons');
  const isLive = sql`${reasons.at} <= ${now().toISOString()}::timestamptz and coalesce(${reasons.endsAt}, 'infinity') > ${now().toISOString()}::timestamptz`;
  const holds = (name: string) => sql<boolean>`bool_or(${reasons.source} = ${name} and ${isLive})`;
  return db
    .select({
      userId: reasons.userId,
      since: sql<Date>`min(${reasons.at})`.mapWith(grants.startsAt).as('since'),
      hasSubscription: holds('subscription').as('has_subscription'),
      hasPurchase: holds('purchase').as('has_purchase'),
      hasGift: holds('gift').as('has_gift'),
      follows: holds('follow').as('follows'),
      isGiver: sql<boolean>`bool_and(${reasons.source} = 'sale')`.as('is_giver'),
      giftEnd: sql<Date | null>`max(${reasons.endsAt}) filter (where ${reasons.source} = 'gift')`.as('gift_end'),
      accessEnd: sql<Date | null>`max(${reasons.endsAt}) filter (where ${reasons.source} = 'subscription')`.as(
        'access_end',
      ),
    })
    .from(reasons)
    .groupBy(reasons.userId)
    .as('grouped');
}

const SUBSCRIPTION = {
  account: subscriptions.account,
  customerId: subscriptions.customerId,
  providerId: subscriptions.providerId,
  every: subscriptions.every,
  priceMinor: subscriptions.priceMinor,
  status: subscriptions.status,
  endsAt: subscriptions.endsAt,
  pausedUntil: subscriptions.pausedUntil,
  pastDueSince: subscriptions.pastDueSince,
  trialEnd: subscriptions.trialEnd,
  periodEnd: subscriptions.periodEnd,
};

/** Each person's running subscription, otherwise the last one. */
function latestSubscriptions({ db }: Db, productId: number, who: Who) {
  const isRunning = sql<boolean>`(${subscriptions.endedAt} is null)`;
  return db
    .selectDistinctOn([subscriptions.userId], {
      userId: subscriptions.userId,
      ...SUBSCRIPTION,
      isRunning: isRunning.as('is_running'),
    })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.productId, productId),
        eq(subscriptions.purpose, 'show'),
        inArray(subscriptions.userId, who),
      ),
    )
    .orderBy(subscriptions.userId, desc(isRunning), desc(subscriptions.id))
    .as('latest');
}

type Facts = {
  reasons: ReturnType<typeof reasonsOf>;
  latest: ReturnType<typeof latestSubscriptions>;
  showId: number;
};

function stateColumns(now: Date, { reasons, latest, showId }: Facts) {
  const at = sql`${now.toISOString()}::timestamptz`;
  const grace = sql`${latest.pastDueSince} + make_interval(secs => ${wholeSeconds(BILLING_LIMITS.grace)})`;
  const runs = sql`(${latest.isRunning} and coalesce(${latest.endsAt}, 'infinity') > ${at})`;
  const isRedeemed = sql`exists (
    select from ${gifts} where ${gifts.redeemedBy} = ${reasons.userId} and ${gifts.productId} = ${showId})`;
  const state = sql<BuyerState>`case
    when ${runs} and ${latest.pastDueSince} is not null then 'past_due'
    when ${runs} and ${latest.endsAt} is not null then 'cancelled'
    when ${runs} and ${latest.pausedUntil} is not null then 'paused'
    when ${runs} and ${latest.status} = 'trialing' then 'trial'
    when ${runs} or (${reasons.hasSubscription} and ${latest.userId} is null) then 'subscribed'
    when ${reasons.hasPurchase} then 'bought'
    when ${reasons.hasGift} and ${isRedeemed} then 'gift'
    when ${reasons.hasGift} then 'invited'
    when ${reasons.follows} then 'following'
    when ${reasons.isGiver} then 'giver'
    else 'ended' end`;
  const until = sql<Date | null>`case
    when ${runs} and ${latest.pastDueSince} is not null then ${grace}
    when ${runs} then coalesce(${latest.endsAt}, ${latest.pausedUntil}, case when ${latest.status} = 'trialing' then ${latest.trialEnd} end)
    when ${reasons.hasSubscription} or ${reasons.hasPurchase} then null
    when ${reasons.hasGift} then ${reasons.giftEnd} end`;
  return { state, until };
}
