import { and, asc, between, eq, gte, inArray, isNull, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { holders } from '~/db/schema/access';
import { contacts } from '~/db/schema/audience';
import type { PaidPurpose } from '~/db/schema/checkouts';
import { saleDays } from '~/db/schema/sale-days';
import type { Currency } from '../../base/money';
import { DAYS, earlier, utcDay } from '../../base/time';
import { currentCreator } from '../../policy/actor';
import { authorize, may } from '../../policy/authorize';
import { countLive } from '../../policy/holder-counts';
import type { Ctx } from '../../runtime/ctx';
import { type HomePlays, playsOfHome } from './home-plays';

/** The last 30 UTC days, today included, and the 30 days before. */
export type Trend = { now: number; before: number };
export type MoneyTrend = { currency: Currency } & Trend;

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
const SHOW_PURPOSES: PaidPurpose[] = ['show', 'gift'];

/** How the creator is doing, at a glance. @throws common.role_not_allowed */
export async function homeFigures(ctx: Ctx): Promise<HomeFigures> {
  const creator = authorize(ctx, 'creator.readStatistics', currentCreator(ctx));
  const { id } = creator;
  const since = utcDay(earlier(ctx.now(), DAYS(DAYS_COMPARED - 1)));
  const days: Days = { before: utcDay(earlier(ctx.now(), DAYS(2 * DAYS_COMPARED - 1))), since };
  const [plays, customers, sales, found, donations] = await Promise.all([
    playsOfHome(ctx, id),
    may(ctx, 'product.readBuyers', { creatorId: id }) ? countCustomers(ctx, id, days) : null,
    may(ctx, 'creator.readPayouts', creator) ? sumSales(ctx, id, { days, purposes: SHOW_PURPOSES }) : null,
    countContacts(ctx, id, days),
    may(ctx, 'creator.readDonations', creator) ? sumSales(ctx, id, { days, purposes: ['donation'] }) : null,
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

type Asked = { days: Days; purposes: PaidPurpose[] };

/** One row for each currency in which something was ever sold within both periods. */
function sumSales({ db }: Ctx, creatorId: number, { days, purposes }: Asked): Promise<MoneyTrend[]> {
  const { currency, amountMinor, refundedMinor, day, purpose } = saleDays;
  const kept = sql`${amountMinor} - ${refundedMinor}`;
  return db
    .select({ currency, now: sumIf(kept, gte(day, days.since)), before: sumIf(kept, lt(day, days.since)) })
    .from(saleDays)
    .where(and(eq(saleDays.creatorId, creatorId), gte(day, days.before), inArray(purpose, purposes)))
    .groupBy(currency)
    .orderBy(asc(currency));
}

async function countContacts({ db }: Ctx, creatorId: number, { before, since }: Days) {
  const { createdAt } = contacts;
  const isActive = and(eq(contacts.creatorId, creatorId), eq(contacts.status, 'active'));
  const [total, [recent]] = await Promise.all([
    db.$count(contacts, isActive),
    db
      .select({
        now: sumIf(sql`1`, gte(createdAt, startOf(since))),
        before: sumIf(sql`1`, lt(createdAt, startOf(since))),
      })
      .from(contacts)
      .where(and(isActive, gte(createdAt, startOf(before)))),
  ]);
  return { total, ...recent! };
}
