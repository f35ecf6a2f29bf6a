import { and, asc, between, eq, lt, lte, sql } from 'drizzle-orm';
import { subscriptionDays } from '~/db/schema/subscription-sums';
import type { Scope } from '../../adapters/statistics/port';
import type { Currency } from '../../base/money';
import type { Ctx } from '../../runtime/ctx';
import { sumWithin } from './revenue';
import { bucketsOf, type DayRange, type Period } from './rules';

/**
 * Running subscriptions by UTC days, those on trial included. `start` and `end`: at the beginning and the end of the
 * period. `churn`: what part of those at its beginning is the number of those that ended within it; null without any.
 */
export type SubscriberFigures = { start: number; gained: number; lost: number; end: number; churn: number | null };
/** `at`: the first day. `subscribers`: at the end of the point. */
export type SubscriberPoint = { at: string; gained: number; lost: number; subscribers: number };
type OfCurrency = { currency: Currency; now: SubscriberFigures; before: SubscriberFigures };
type Compared = { period: DayRange; before: DayRange };

const whereDays = ({ creatorId, productId }: Scope) =>
  and(
    eq(subscriptionDays.creatorId, creatorId),
    productId === undefined ? undefined : eq(subscriptionDays.productId, productId),
  );

/** The subscriptions of two periods, by the currency in which they are paid. */
export async function subscribersByCurrency(
  { db }: Pick<Ctx, 'db'>,
  scope: Scope,
  { period, before }: Compared,
): Promise<OfCurrency[]> {
  const { currency, gained, lost, day } = subscriptionDays;
  const startOf = ({ from }: DayRange) =>
    sql<number>`coalesce(sum(${gained} - ${lost}) filter (where ${lt(day, from)}), 0)::float8`;
  const rows = await db
    .select({
      currency,
      ...{ start: startOf(period), gained: sumWithin(gained, day, period), lost: sumWithin(lost, day, period) },
      startBefore: startOf(before),
      gainedBefore: sumWithin(gained, day, before),
      lostBefore: sumWithin(lost, day, before),
    })
    .from(subscriptionDays)
    .where(and(whereDays(scope), lte(day, period.to)))
    .groupBy(currency)
    .orderBy(asc(currency));
  return rows.map((row) => ({
    currency: row.currency,
    now: figuresFrom(row),
    before: figuresFrom({ start: row.startBefore, gained: row.gainedBefore, lost: row.lostBefore }),
  }));
}

/** A person counts in one currency only, so subscriptions of several can be added up. */
export function addSubscribers(figures: SubscriberFigures[]): SubscriberFigures {
  const sum = (pick: (one: SubscriberFigures) => number) => figures.reduce((total, one) => total + pick(one), 0);
  return figuresFrom({
    start: sum((one) => one.start),
    gained: sum((one) => one.gained),
    lost: sum((one) => one.lost),
  });
}

function figuresFrom({ start, gained, lost }: { start: number; gained: number; lost: number }): SubscriberFigures {
  return { start, gained, lost, end: start + gained - lost, churn: start > 0 ? lost / start : null };
}

/** The subscriptions that began and ended in each point of a chart. @param start those that run before the first */
export async function subscribersOverTime(
  { db }: Pick<Ctx, 'db'>,
  scope: Scope,
  { period, start }: { period: Period; start: number },
): Promise<SubscriberPoint[]> {
  const { gained, lost, day } = subscriptionDays;
  const days = await db
    .select({ day, gained: sql<number>`sum(${gained})::float8`, lost: sql<number>`sum(${lost})::float8` })
    .from(subscriptionDays)
    .where(and(whereDays(scope), between(day, period.from, period.to)))
    .groupBy(day)
    .orderBy(asc(day));
  const points = bucketsOf(period).map(({ at }) => ({ at, gained: 0, lost: 0, subscribers: 0 }));
  for (const row of days) {
    const point = points.findLast(({ at }) => at <= row.day);
    if (!point) continue;
    point.gained += row.gained;
    point.lost += row.lost;
  }
  let subscribers = start;
  for (const point of points) {
    subscribers += point.gained - point.lost;
    point.subscribers = subscribers;
  }
  return points;
}
