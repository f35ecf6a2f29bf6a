import { and, eq, isNull, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { DAYS, later } from '../base/time';

/**
 * Drip: a paid show gives its private episodes one by one, in the order of their release. The first is there when a
 * listener joins, and every `dripDays` days the next. Public episodes and trailers never wait.
 */
export type DripFacts = {
  /** `grants.dripsFrom`: since when the listener has the show, later by the time without it. */
  joinedAt: Date;
  dripDays: number;
  /** How many published private episodes of the show were released before this one. */
  place: number;
};

/** Whether listeners wait for the episode: shows that have become free give everything. */
export const isDripped = (
  { type }: Pick<typeof episodes.$inferSelect, 'type'>,
  { priceMinor, dripDays }: Pick<typeof products.$inferSelect, 'priceMinor' | 'dripDays'>,
): boolean => type === 'private' && priceMinor !== null && dripDays > 0;

/** When a listener may hear such an episode. */
export const dripReaches = ({ joinedAt, dripDays, place }: DripFacts): Date => later(joinedAt, DAYS(dripDays * place));

/** How many episodes the drip has brought after the first one. */
export const dripSteps = ({ joinedAt, dripDays }: Omit<DripFacts, 'place'>, now: Date): number =>
  Math.floor((now.getTime() - joinedAt.getTime()) / DAYS(dripDays));

/** A moment in a query; days have 24 hours, whatever the time zone of the session is. */
type Moment = SQL | Placeholder | string;
const DAY = sql.raw(`interval '24 hours'`);
const before = alias(episodes, 'before');

/** In a query from `episodes`. Two that were released at once are in the order of their ids. */
export const placeInDrip = (): SQL<number> => {
  const released = sql`(${before.releaseAt}, ${before.id}) < (${episodes.releaseAt}, ${episodes.id})`;
  const own = and(eq(before.productId, episodes.productId), eq(before.status, 'published'), eq(before.type, 'private'));
  return sql<number>`(select count(*)::int from ${episodes} "before" where ${and(own, isNull(before.deletedAt), released)})`;
};

/**
 * `dripReaches`, in a query from `episodes` joined with `products`: null once it has come, and for what never waits.
 * @param joined null for those without access
 */
export function availableFrom(joined: Moment, now: Moment): SQL<string | null> {
  // `offset 0`: Postgres would count the place again for each use of `at`
  const reached = sql`select ${joined}::timestamptz + ${placeInDrip()} * ${products.dripDays} * ${DAY} as at offset 0`;
  return sql<string | null>`(
    case when ${products.dripDays} = 0 or ${products.priceMinor} is null or ${episodes.type} <> 'private' then null
    else (select at from (${reached}) reached where at > ${now}::timestamptz) end)`;
}

/** `dripSteps`, in a query from `products`. Null without drip. */
export function stepsOfDrip(joined: SQL, now: Moment): SQL<number | null> {
  const seconds = sql`extract(epoch from ${now}::timestamptz - ${joined})`;
  return sql<number | null>`(
    case when ${products.dripDays} = 0 or ${products.priceMinor} is null then null
    else floor(${seconds} / (${products.dripDays} * 86400)) end)`;
}
