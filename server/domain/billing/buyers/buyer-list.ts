import { and, asc, count, desc, eq, gt, ilike, isNotNull, or, type SQL, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { sales, subscriptions } from '~/db/schema/billing';
import { checkouts } from '~/db/schema/checkouts';
import { gifts } from '~/db/schema/gifts';
import { patternOf } from '~/db/search';
import type { Currency } from '../../../base/money';
import type { Page } from '../../../base/paging';
import { wholeSeconds } from '../../../base/time';
import { BILLING_LIMITS } from '../../../limits/billing';
import type { Ctx } from '../../../runtime/ctx';
import type { ProductRow } from '../../products/queries';
import type { BuyerState } from '../base/kinds';

/**
 * `until`: the end of access, trial or pause; null without an end. `name`: null for people who were only invited by an
 * address, because a name would reveal that the address has an account. `revenueMinor`: sales less refunds, in the
 * show's currency.
 */
export type BuyerView = {
  userId: number;
  name: string | null;
  email: string;
  state: BuyerState;
  since: Date;
  until: Date | null;
  /** Time of the subscription's next charge. */
  renewsAt: Date | null;
  revenueMinor: number;
  currency: Currency;
  every: 'month' | 'year' | null;
  priceMinor: number | null;
  /** Ids at the payment provider, which a creator who leaves keeps. */
  subscription: string | null;
  customer: string | null;
  /** The creator's own account, to which both ids belong; null for our account. */
  account: string | null;
};

export type BuyerFilter = { search?: string; state?: BuyerState; userId?: number };
type Db = Pick<Ctx, 'db' | 'now'>;

/** A page of the show's buyers, the latest first. */
export async function listBuyerPage(
  ctx: Db,
  show: ProductRow,
  { page, pageSize, ...filter }: BuyerFilter & { page: number; pageSize: number },
): Promise<Page<BuyerView>> {
  const people = peopleOf(ctx, show, filter);
  const where = filter.state && eq(people.state, filter.state);
  const [items, [counted]] = await Promise.all([
    selectBuyers(ctx, show, people)
      .where(where)
      .orderBy(desc(people.since), desc(people.userId))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    ctx.db.select({ total: count() }).from(people).where(where),
  ]);
  return { items, total: counted?.total ?? 0, page, pageSize };
}

/** The next part of a list of all buyers, in the order of their accounts. */
export function listBuyersAfter(
  ctx: Db,
  show: ProductRow,
  { after, limit }: { after: number; limit: number },
): Promise<BuyerView[]> {
  const people = peopleOf(ctx, show, {});
  return selectBuyers(ctx, show, people).where(gt(people.userId, after)).orderBy(asc(people.userId)).limit(limit);
}

export async function lookupBuyer(ctx: Db, show: ProductRow, userId: number): Promise<BuyerView | null> {
  const [row] = await selectBuyers(ctx, show, peopleOf(ctx, show, { userId }));
  return row ?? null;
}

type People = ReturnType<typeof peopleOf>;

/** The sums are computed only for the rows of one page, by the index of each person's sales. */
function selectBuyers({ db }: Db, { id, currency }: ProductRow, people: People) {
  const ownSales = and(eq(sales.userId, people.userId), eq(sales.productId, id));
  const revenue = sql<number>`(
    select coalesce(sum(${sales.amountMinor} - ${sales.refundedMinor}), 0)::int from ${sales}
    where ${ownSales} and ${sales.currency} = ${currency})`;
  const buyer = sql<string | null>`(
    select ${checkouts.customerId} from ${sales} inner join ${checkouts} on ${checkouts.id} = ${sales.checkoutId}
    where ${ownSales} order by ${sales.paidAt} desc limit 1)`;
  return db
    .select({
      userId: people.userId,
      name: people.name,
      email: people.email,
      state: people.state,
      since: people.since,
      until: people.until,
      renewsAt: people.renewsAt,
      revenueMinor: revenue,
      currency: sql<Currency>`${currency}`,
      every: people.every,
      priceMinor: people.priceMinor,
      subscription: people.subscription,
      customer: sql<string | null>`coalesce(${people.customer}, ${buyer})`,
      account: people.account,
    })
    .from(people);
}

/** One row for each person. Their grants and their latest subscription decide the state. */
function peopleOf(ctx: Db, show: ProductRow, { search, userId }: BuyerFilter) {
  const { db } = ctx;
  const reasons = reasonsOf(ctx, show, userId);
  const latest = latestSubscriptions(ctx, show.id, userId);
  const { state, until } = stateColumns(ctx.now(), { reasons, latest, showId: show.id });
  const renews = sql`${latest.isRunning} and ${latest.endsAt} is null and ${latest.pausedUntil} is null`;
  const renewal = sql<Date | null>`case when ${renews} then ${latest.periodEnd} end`;
  const pattern = patternOf(search);
  // the search skips names of people who were only invited, because the list hides them
  const isFound =
    pattern && or(ilike(users.email, pattern), and(ilike(users.name, pattern), sql`${state} <> 'invited'`));
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
    .where(isFound || undefined)
    .as('people');
}

/** People are listed for their grants, and for payments for gifts. Followers of a paid show are not buyers. */
function reasonsOf({ db, now }: Db, { id, priceMinor }: ProductRow, userId?: number) {
  const { startsAt: at, endsAt, source } = grants;
  const isFollow = sql<boolean>`${source} = 'follow'`;
  const ofGrants = db
    .select({ userId: grants.userId, at, endsAt, source: sql<string>`${source}`.as('source') })
    .from(grants)
    .where(
      and(
        eq(grants.productId, id),
        priceMinor === null ? undefined : sql`not ${isFollow}`,
        only(grants.userId, userId),
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
    .where(and(eq(sales.productId, id), isNotNull(sales.userId), only(sales.userId, userId)));
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

/** Each person's running subscription, otherwise the last one. */
function latestSubscriptions({ db }: Db, productId: number, userId?: number) {
  const {
    account,
    customerId,
    providerId,
    every,
    priceMinor,
    status,
    endsAt,
    endedAt,
    pausedUntil,
    pastDueSince,
    trialEnd,
  } = subscriptions;
  const { periodEnd } = subscriptions;
  const isRunning = sql<boolean>`(${endedAt} is null)`;
  return db
    .selectDistinctOn([subscriptions.userId], {
      userId: subscriptions.userId,
      ...{
        account,
        customerId,
        providerId,
        every,
        priceMinor,
        status,
        endsAt,
        pausedUntil,
        pastDueSince,
        trialEnd,
        periodEnd,
      },
      isRunning: isRunning.as('is_running'),
    })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.productId, productId),
        eq(subscriptions.purpose, 'show'),
        only(subscriptions.userId, userId),
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

const only = (column: Parameters<typeof eq>[0], userId: number | undefined): SQL | undefined =>
  userId === undefined ? undefined : eq(column as typeof grants.userId, userId);
