import { and, eq, isNull, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { DAYS, later } from '../base/time';

/**
 * Drip: a paid show makes its private episodes available one by one, in the order of their release. Listeners get the
 * first one when they join, and the next one every `dripDays` days. Public episodes and trailers never wait.
 */
export type DripFacts = {
  /** `grants.dripsFrom`: when the listener got the show, moved later by any time without access. */
  joinedAt: Date;
  dripDays: number;
  /** Number of published private episodes of the show that were released earlier. */
  place: number;
};

/** Whether listeners wait for the episode: shows that have become free make everything available. */
export const isDripped = (
  { type }: Pick<typeof episodes.$inferSelect, 'type'>,
  { priceMinor, dripDays }: Pick<typeof products.$inferSelect, 'priceMinor' | 'dripDays'>,
): boolean => type === 'private' && priceMinor !== null && dripDays > 0;

/** When the drip makes the episode available to a listener. */
export const dripReaches = ({ joinedAt, dripDays, place }: DripFacts): Date => later(joinedAt, DAYS(dripDays * place));

/** Number of episodes that the drip has made available after the first one. */
export const dripSteps = ({ joinedAt, dripDays }: Omit<DripFacts, 'place'>, now: Date): number =>
  Math.floor((now.getTime() - joinedAt.getTime()) / DAYS(dripDays));

/** A moment in a query; days have 24 hours, whatever the time zone of the session is. */
type Moment = SQL | Placeholder | string;
const DAY = sql.raw(`interval '24 hours'`);
const before = alias(episodes, 'before');

/** For a query from `episodes`. Episodes with the same release time are in the order of their ids. */
export const placeInDrip = (): SQL<number> => {
  const released = sql`(${before.releaseAt}, ${before.id}) < (${episodes.releaseAt}, ${episodes.id})`;
  const own = and(eq(before.productId, episodes.productId), eq(before.status, 'published'), eq(before.type, 'private'));
  return sql<number>`(select count(*)::int from ${episodes} "before" where ${and(own, isNull(before.deletedAt), released)})`;
};

/**
 * `dripReaches` for a query from `episodes` joined with `products`: null once that time has passed, and for episodes
 * that never wait.
 * @param joined null for actors without access
 */
export function availableFrom(joined: Moment, now: Moment): SQL<string | null> {
  // `offset 0`: Postgres would count the place again for each use of `at`
  const reached = sql`select ${joined}::timestamptz + ${placeInDrip()} * ${products.dripDays} * ${DAY} as at offset 0`;
  return sql<string | null>`(
    case when ${products.dripDays} = 0 or ${products.priceMinor} is null or ${episodes.type} <> 'private' then null
    else (select at from (${reached}) reached where at > ${now}::timestamptz) end)`;
}

/** `dripSteps` for a query from `products`. Null without drip. */
export function stepsOfDrip(joined: SQL, now: Moment): SQL<number | null> {
  const seconds = sql`extract(epoch from ${now}::timestamptz - ${joined})`;
  return sql<number | null>`(
    case when ${products.dripDays} = 0 or ${products.priceMinor} is null then null
    else floor(${seconds} / (${products.dripDays} * 86400)) end)`;
}
