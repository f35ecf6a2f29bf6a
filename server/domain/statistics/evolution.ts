import { type SQL, sql } from 'drizzle-orm';
import { plainArray } from '~/db/driver/plain-array';
import { listeningDays } from '~/db/schema/listening';
import type { Ctx } from '../../runtime/ctx';
import { type Bucket, SLOTS_PER_DAY } from './rules';

/** A show of a creator, or all of them. */
export type Scope = { creatorId: number; productId?: number };
export type Filters = { country?: string; app?: string };

/** Listens and downloads are not known apart for a country or an app. */
export type Counts = { plays: number; listens: number | null; downloads: number | null };
export type Point = { at: string } & Counts;

/** Where a day's plays without a time of day are counted: those from before times were kept, and filtered ones. */
const NOON = SLOTS_PER_DAY / 2;

export const isFiltered = ({ country, app }: Filters): boolean => country !== undefined || app !== undefined;

export const whereScope = ({ creatorId, productId }: Scope): SQL =>
  productId === undefined
    ? sql`d.creator_id = ${creatorId}`
    : sql`d.creator_id = ${creatorId} and d.product_id = ${productId}`;

/** The plays in each bucket, from one row per show and day. */
export async function sumBuckets(
  { db }: Pick<Ctx, 'db'>,
  scope: Scope,
  { buckets, filters }: { buckets: Bucket[]; filters: Filters },
): Promise<Point[]> {
  const list = (pick: (bucket: Bucket) => string | number) => plainArray(buckets.map(pick));
  const columns = isFiltered(filters)
    ? sql`${sumOf(filteredPart(filters))} as plays, null::float8 as listens, null::float8 as downloads`
    : sql`
        ${sumOf(partOf(sql`d.listens`, 'l'))} + ${sumOf(partOf(sql`d.downloads`, 'd'))} as plays,
        ${sumOf(partOf(sql`d.listens`, 'l'))} as listens, ${sumOf(partOf(sql`d.downloads`, 'd'))} as downloads`;
  const rows = await db.execute<Point>(sql`
    select b.at, ${columns}
    from unnest(
      ${list(({ at }) => at)}::text[], ${list(({ from }) => from.day)}::date[], ${list(({ from }) => from.slot)}::int[],
      ${list(({ until }) => until.day)}::date[], ${list(({ until }) => until.slot)}::int[]
    ) with ordinality as b(at, from_day, from_slot, until_day, until_slot, position)
    left join ${listeningDays} d on ${whereScope(scope)} and d.day between b.from_day and b.until_day
    left join lateral (
      select case when d.day = b.from_day then b.from_slot else 0 end as low,
        case when d.day = b.until_day then b.until_slot else ${SLOTS_PER_DAY} end as high
    ) part on true
    group by b.position, b.at order by b.position`);
  return [...rows];
}

const sumOf = (value: SQL): SQL => sql`coalesce(sum(${value}), 0)::float8`;

/** A day's plays between two slots. */
function partOf(total: SQL, measure: 'l' | 'd'): SQL {
  return sql`case when low = 0 and high = ${SLOTS_PER_DAY} then ${total} else (
    select coalesce(sum(plays::int) filter (where slot::int >= low and slot::int < high), 0)
      + case when low <= ${NOON} and ${NOON} < high then ${total} - coalesce(sum(plays::int), 0) else 0 end
    from jsonb_each_text(coalesce(d.slots -> ${measure}, '{}')) as s(slot, plays)
  ) end`;
}

/** A day's plays of a country, of an app, or of an app in a country. */
function filteredPart({ country, app }: Filters): SQL {
  const value =
    country && app
      ? sql`d.pairs ->> ${`${country}|${app}`}`
      : country
        ? sql`d.dimensions -> 'country' ->> ${country}`
        : sql`d.dimensions -> 'app' ->> ${app}`;
  return sql`case when low <= ${NOON} and ${NOON} < high then (${value})::int else 0 end`;
}
