import { and, between, eq, gte, isNull, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { holders } from '~/db/schema/access';
import { contacts } from '~/db/schema/audience';
import { AppError } from '../../base/errors';
import { startOfDay } from '../../base/time';
import { currentCreator } from '../../policy/actor';
import { authorize, may } from '../../policy/authorize';
import { countLive } from '../../policy/holder-counts';
import type { Ctx } from '../../runtime/ctx';
import { isActive } from '../audience/queries';
import { type HomePlays, playsOfHome } from './home-plays';
import { type LatestDays, latestDays } from './latest-days';
import { type MoneyTrend, revenueOf } from './revenue';

/** The last 30 days of the creator's time zone, today included, and the 30 days before. */
export type Trend = { now: number; before: number };

/** Null for members of the team who may not see it. */
export type HomeFigures = {
  /** Null if the store of statistics does not respond. */
  plays: HomePlays | null;
  /** People with access that they or someone else paid for; the trend has the new ones. */
  customers: ({ total: number } & Trend) | null;
  /** What was charged for shows, in minor units, less refunds. */
  sales: MoneyTrend[] | null;
  /** Confirmed contacts; the trend has the new ones. */
  contacts: ({ total: number } & Trend) | null;
  donations: MoneyTrend[] | null;
};

/** How the creator is doing, at a glance. @throws common.role_not_allowed */
export async function homeFigures(ctx: Ctx): Promise<HomeFigures> {
  const creator = authorize(ctx, 'creator.readStatistics', currentCreator(ctx));
  const { id } = creator;
  const days = await latestDays(ctx, id);
  const [plays, customers, sales, found, donations] = await Promise.all([
    playsOfHome(ctx, id, days).catch(nullIfUnavailable),
    may(ctx, 'product.readBuyers', { creatorId: id }) ? countCustomers(ctx, id, days) : null,
    may(ctx, 'creator.readPayouts', creator) ? revenueOf(ctx, { creatorId: id }, days) : null,
    countContacts(ctx, id, days),
    may(ctx, 'creator.readDonations', creator)
      ? revenueOf(ctx, { creatorId: id }, { ...days, purposes: ['donation'] })
      : null,
  ]);
  return { plays, customers, sales, contacts: found, donations };
}

/** The store of statistics must not keep creators from the rest of their home. */
function nullIfUnavailable(error: unknown): null {
  if (error instanceof AppError && error.kind === 'unavailable') return null;
  throw error;
}

const sumIf = (value: SQLWrapper, condition: SQL) =>
  sql<number>`coalesce(sum(${value}) filter (where ${condition}), 0)::float8`;

async function countCustomers({ db, now }: Ctx, creatorId: number, days: LatestDays) {
  const { paidSince } = holders;
  const { before, since } = startsOf(days);
  const [row] = await db
    .select({
      total: countLive({ creatorId, isPaid: true }, now()),
      now: sumIf(sql`1`, gte(paidSince, since)),
      before: sumIf(sql`1`, lt(paidSince, since)),
    })
    .from(holders)
    .where(and(eq(holders.creatorId, creatorId), isNull(holders.productId), between(paidSince, before, now())));
  return row!;
}

/** The first moments of both periods. */
const startsOf = ({ period, before }: LatestDays) => ({
  since: startOfDay(period.from, period.zone),
  before: startOfDay(before.from, before.zone),
});

async function countContacts({ db }: Ctx, creatorId: number, days: LatestDays) {
  const { since: joinedAt } = contacts;
  const { before, since } = startsOf(days);
  const isFound = and(eq(contacts.creatorId, creatorId), isActive());
  const [total, [recent]] = await Promise.all([
    db.$count(contacts, isFound),
    db
      .select({
        now: sumIf(sql`1`, gte(joinedAt, since)),
        before: sumIf(sql`1`, lt(joinedAt, since)),
      })
      .from(contacts)
      .where(and(isFound, gte(joinedAt, before))),
  ]);
  return { total, ...recent! };
}
