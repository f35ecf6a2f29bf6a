import { and, desc, eq, gt, gte, inArray, isNull, or, type SQL, sql, sum } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { grantCounts, grants } from '~/db/schema/access';
import { subscriptions } from '~/db/schema/billing';
import { gifts } from '~/db/schema/gifts';
import { subscriptionSums } from '~/db/schema/subscription-sums';
import type { Money } from '../../base/money';
import { DAYS, later, utcDay } from '../../base/time';
import { whereOpenGift, wherePaidGrant } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import type { ProductRow } from './queries';

type Reads = Pick<Ctx, 'db' | 'now'>;
type Source = (typeof grants.$inferSelect)['source'];

/**
 * Numbers of grants that have not ended: subscriptions, and all paid grants, including purchases and gifts, redeemed or
 * not.
 */
export type Paying = { subscriptions: number; all: number };

/** Counts the people who pay for a product, or have paid. Followers are not counted. */
export async function countPaying(ctx: Reads, productId: number): Promise<Paying> {
  const [counts, given] = await Promise.all([
    countGrants(ctx, productId, ctx.now()),
    ctx.db.$count(gifts, and(eq(gifts.productId, productId), whereOpenGift(ctx.now()))),
  ]);
  const { subscription = 0, purchase = 0, gift = 0 } = counts;
  return { subscriptions: subscription, all: subscription + purchase + gift + given };
}

/**
 * The numbers of grants that end after a moment, also of those that have not begun: of later days (UTC) from the sums,
 * of the same day one by one.
 */
export async function countGrants(
  { db }: Pick<Ctx, 'db'>,
  productId: number,
  at: Date,
): Promise<Partial<Record<Source, number>>> {
  const nextDay = `${utcDay(later(at, DAYS(1)))}T00:00:00Z`;
  const rows = await db.execute<{ source: Source; total: number }>(sql`
    select source, sum(n)::float8 as total from (
      select ${grantCounts.source}, ${grantCounts.grants} as n from ${grantCounts}
      where ${eq(grantCounts.productId, productId)} and ${gt(grantCounts.endsOn, utcDay(at))}
      union all
      select ${grants.source}, 1 from ${grants}
      where ${and(eq(grants.productId, productId), gt(grants.endsAt, at))} and ${grants.endsAt} < ${nextDay}::timestamptz
    ) ending group by source`);
  return Object.fromEntries(rows.map(({ source, total }) => [source, total]));
}

/** The prices of the running subscriptions, by currency: about what was paid for their present periods. */
export function sumPrices(
  { db }: Pick<Ctx, 'db'>,
  { id, creatorId }: Pick<ProductRow, 'id' | 'creatorId'>,
): Promise<Money[]> {
  const { currency, subscriptions: running, priceMinor } = subscriptionSums;
  return db
    .select({ minor: sum(priceMinor).mapWith(Number), currency })
    .from(subscriptionSums)
    .where(and(eq(subscriptionSums.creatorId, creatorId), eq(subscriptionSums.productId, id), gt(running, 0)))
    .groupBy(currency)
    .orderBy(currency);
}

/**
 * The end of the last subscription, if none is renewed; null without subscriptions. No end is later than that of the
 * access or of the paid period. So with a late end in hand, only later periods are read, and later access without a
 * period, which does not renew.
 */
export async function lastSubscriptionEnd(ctx: Reads, productId: number): Promise<Date | null> {
  const late = await lastEnd(ctx, productId, inArray(grants.userId, latestPeople(ctx, productId)));
  if (late === null) return lastEnd(ctx, productId);
  // the rest of the same millisecond is no later end
  const next = later(late, 1);
  const ends = await Promise.all([
    (await isPaidFrom(ctx, productId, next)) ? lastEnd(ctx, productId, wherePaidFrom(next)) : null,
    lastEnd(ctx, productId, and(HAS_FIXED_END, or(isNull(grants.endsAt), gte(grants.endsAt, next)))),
  ]);
  return ends.reduce<Date>((last, end) => (end !== null && end > last ? end : last), late);
}

/** The access of a renewing subscription lasts some days longer than its period, because a payment may be late. */
async function lastEnd(ctx: Reads, productId: number, where?: SQL): Promise<Date | null> {
  const end = sql`least(${grants.endsAt}, ${PAID_UNTIL})`;
  const [row] = await ctx.db
    .select({ last: sql<Date | null>`max(${end})`.mapWith(grants.endsAt) })
    .from(grants)
    .leftJoin(subscriptions, and(eq(subscriptions.userId, grants.userId), whereRunning(productId)))
    .where(and(whereSubscribed(ctx, productId), where));
  return row?.last ?? null;
}

const PAID_UNTIL = sql`coalesce(${subscriptions.endsAt}, ${subscriptions.periodEnd})`;
const whereRunning = (productId: number) =>
  and(eq(subscriptions.productId, productId), eq(subscriptions.purpose, 'show'), isNull(subscriptions.endedAt));

/** As the index `grants_not_renewing` has it: Postgres uses it only for a condition without parameters. */
const HAS_FIXED_END = sql`${grants.source} = 'subscription' and not ${grants.renews}`;

const wherePaidFrom = (at: Date) => gte(PAID_UNTIL, sql.param(at, subscriptions.periodEnd));

/** Usually nobody: then Postgres need not join all subscriptions with their access. */
async function isPaidFrom({ db }: Reads, productId: number, at: Date): Promise<boolean> {
  const isLater = and(whereRunning(productId), wherePaidFrom(at));
  const found = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(isLater)
    .orderBy(desc(PAID_UNTIL))
    .limit(1);
  return found.length > 0;
}

/** People whose paid period or whose access ends last. */
function latestPeople(ctx: Reads, productId: number) {
  const byPeriod = ctx.db
    .select({ id: subscriptions.userId })
    .from(subscriptions)
    .where(whereRunning(productId))
    .orderBy(desc(PAID_UNTIL))
    .limit(LATEST);
  const byAccess = ctx.db
    .select({ id: grants.userId })
    .from(grants)
    .where(whereSubscribed(ctx, productId))
    .orderBy(desc(grants.endsAt))
    .limit(LATEST);
  return unionAll(byPeriod, byAccess);
}

const LATEST = 20;

export const whereSubscribed = (ctx: Pick<Ctx, 'now'>, productId: number): SQL =>
  and(wherePaying(ctx, productId), eq(grants.source, 'subscription')) as SQL;

function wherePaying(ctx: Pick<Ctx, 'now'>, productId: number): SQL {
  return and(eq(grants.productId, productId), isLivePaid(ctx)) as SQL;
}

/** Grants that begin later were paid for, too. */
const isLivePaid = ({ now }: Pick<Ctx, 'now'>) =>
  and(wherePaidGrant(), or(isNull(grants.endsAt), gt(grants.endsAt, now())));
