import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { holderCounts, holders } from '~/db/schema/access';
import { DAYS, later, utcDay } from '../base/time';

/** All shows of a creator, or one of them; `isPaid`: without people who only follow. */
type Counted = { creatorId: SQLWrapper | number; productId?: SQLWrapper | number; isPaid: boolean };

/** The number of people who are listed: they have or had access, or paid. */
export function countListed(counted: Counted): SQL<number> {
  return sql<number>`(select coalesce(sum(${holderCounts.people}), 0)::float8 from ${holderCounts} where ${ofCounts(counted)})`;
}

/**
 * The number of people with access now: those whose access ends after today (UTC), from the sums, and those whose
 * access ends later today, one by one.
 */
export function countLive(counted: Counted, now: Date): SQL<number> {
  const today = utcDay(now);
  const tomorrow = utcDay(later(now, DAYS(1)));
  const until = counted.isPaid ? holders.paidUntil : holders.until;
  return sql<number>`(
    (select coalesce(sum(${holderCounts.people}), 0)::float8 from ${holderCounts}
      where ${ofCounts(counted)} and ${holderCounts.endsOn} > ${today}::date)
    + (select count(*)::int from ${holders} where ${ofScope(holders, counted)}
      and ${until} > ${now.toISOString()}::timestamptz and ${until} < ${`${tomorrow}T00:00:00Z`}::timestamptz))`;
}

const ofCounts = (counted: Counted): SQL =>
  sql`${ofScope(holderCounts, counted)} and ${holderCounts.isPaid} = ${counted.isPaid}`;

function ofScope(table: typeof holders | typeof holderCounts, { creatorId, productId }: Counted): SQL {
  const show = productId === undefined ? sql`${table.productId} is null` : sql`${table.productId} = ${productId}`;
  return sql`${table.creatorId} = ${creatorId} and ${show}`;
}
