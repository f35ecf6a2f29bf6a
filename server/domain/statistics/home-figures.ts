import { and, between, eq, gte, isNull, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { holders } from '~/db/schema/access';
import { contacts } from '~/db/schema/audience';
import { DAYS, dayAfter, earlier, utcDay } from '../../base/time';
import { currentCreator } from '../../policy/actor';
import { authorize, may } from '../../policy/authorize';
import { countLive } from '../../policy/holder-counts';
import type { Ctx } from '../../runtime/ctx';
import { isActive } from '../audience/queries';
import { type HomePlays, playsOfHome } from './home-plays';
import { type MoneyTrend, revenueOf } from './revenue';

/** The last 30 UTC days, today included, and the 30 days before. */
export type Trend = { now: number; before: number };

/** Null for members of the team who may not see it. */
export type HomeFigures = {
  plays: HomePlays;
  /** People with access that they or someone else paid for; the trend has the new ones. */
  customers: ({ total: number } & Trend) | null;
  /** What was charged for shows, in minor units, less refunds. */
  sales: MoneyTrend[] | null;
  /** Confirmed contacts; the trend has the new ones. */
  contacts: ({ total: number } & Trend) | null;
  donations: MoneyTrend[] | null;
};

const DAYS_COMPARED = 30;

/** How the creator is doing, at a glance. @throws common.role_not_allowed */
export async function homeFigures(ctx: Ctx): Promise<HomeFigures> {
  const creator = authorize(ctx, 'creator.readStatistics', currentCreator(ctx));
  const { id } = creator;
  const since = utcDay(earlier(ctx.now(), DAYS(DAYS_COMPARED - 1)));
  const days: Days = { before: utcDay(earlier(ctx.now(), DAYS(2 * DAYS_COMPARED - 1))), since };
  const compared = {
    period: { from: since, to: utcDay(ctx.now()) },
    before: { from: days.before, to: dayAfter(since, -1) },
  };
  const [plays, customers, sales, found, donations] = await Promise.all([
    playsOfHome(ctx, id),
    may(ctx, 'product.readBuyers', { creatorId: id }) ? countCustomers(ctx, id, days) : null,
    may(ctx, 'creator.readPayouts', creator) ? revenueOf(ctx, { creatorId: id }, compared) : null,
    countContacts(ctx, id, days),
    may(ctx, 'creator.readDonations', creator)
      ? revenueOf(ctx, { creatorId: id }, { ...compared, purposes: ['donation'] })
      : null,
  ]);
  return { plays, customers, sales, contacts: found, donations };
}

/** The first days of both periods. */
type Days = { before: string; since: string };

const sumIf = (value: SQLWrapper, condition: SQL) =>
  sql<number>`coalesce(sum(${value}) filter (where ${condition}), 0)::float8`;

async function countCustomers({ db, now }: Ctx, creatorId: number, { before, since }: Days) {
  const { paidSince } = holders;
  const [row] = await db
    .select({
      total: countLive({ creatorId, isPaid: true }, now()),
      now: sumIf(sql`1`, gte(paidSince, startOf(since))),
      before: sumIf(sql`1`, lt(paidSince, startOf(since))),
    })
    .from(holders)
    .where(
      and(eq(holders.creatorId, creatorId), isNull(holders.productId), between(paidSince, startOf(before), now())),
    );
  return row!;
}

const startOf = (day: string) => new Date(`${day}T00:00:00Z`);

async function countContacts({ db }: Ctx, creatorId: number, { before, since }: Days) {
  const { since: joinedAt } = contacts;
  const isFound = and(eq(contacts.creatorId, creatorId), isActive());
  const [total, [recent]] = await Promise.all([
    db.$count(contacts, isFound),
    db
      .select({
        now: sumIf(sql`1`, gte(joinedAt, startOf(since))),
        before: sumIf(sql`1`, lt(joinedAt, startOf(since))),
      })
      .from(contacts)
      .where(and(isFound, gte(joinedAt, startOf(before)))),
  ]);
  return { total, ...recent! };
}
