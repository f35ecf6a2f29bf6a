import { and, asc, eq, gt, inArray, isNotNull, or, sql } from 'drizzle-orm';
import { plainArray } from '~/db/driver/plain-array';
import { episodes } from '~/db/schema/episodes';
import { episodeTotals } from '~/db/schema/listening';
import { products } from '~/db/schema/products';
import { utcMonth } from '../../base/time';
import { CATCH_UP_LIMITS } from '../../limits/listening';
import { catchUpSums as catchUpJob } from '../../queue/jobs/listening';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { LIMITED_VALUES, monthOf } from './rollups';
import { countStarts, lockTotals, RELEASED_HOUR } from './starts';

type Show = { id: number; creatorId: number };
type Limits = Record<keyof typeof CATCH_UP_LIMITS, number>;
type StaleMonth = { productId: number; creatorId: number; month: string };
type StaleEpisode = { productId: number; id: number };

/**
 * Sums up months of shows that are over (UTC), and starts of episodes that lack plays: those of the time before these sums,
 * or of a former release that was running, and starts of episodes whose release was moved. Charts read days and hours until
 * then. Each month and each part of a show's episodes is a short transaction; what is left after some of them is another
 * job.
 */
export async function catchUpSums(ctx: Ctx, { after = 0 }: { after?: number }, limits: Limits = CATCH_UP_LIMITS) {
  // the store beside Postgres has these sums
  if (ctx.ports.statistics.store !== null) return;
  let last = after;
  for (let shows = await listShows(ctx, last, limits); shows.length > 0; shows = await listShows(ctx, last, limits)) {
    const { done, isPartial } = await catchUpShows(ctx, shows, limits);
    if (isPartial && done > 0) {
      await transact(ctx, (tx) => tx.jobs.enqueue(catchUpJob, { after: last }));
      return;
    }
    last = shows.at(-1)!.id;
  }
}

async function catchUpShows(ctx: Ctx, shows: Show[], limits: Limits) {
  const [months, started] = [await listStaleMonths(ctx, shows, limits), await listStaleEpisodes(ctx, shows, limits)];
  let done = 0;
  for (const part of partsOf(months, limits)) done += await attempt(ctx, part[0]!, (tx) => sumMonths(tx, part));
  for (const part of partsOf(started, limits)) done += await attempt(ctx, part[0]!, (tx) => countPart(tx, part));
  return { done, isPartial: months.length === limits.months || started.length === limits.episodes };
}

/** A damaged map, as of a backup, must not stop the sums of other shows. @returns 1, or 0 for a failure */
function attempt(ctx: Ctx, { productId }: { productId: number }, work: (tx: TxCtx) => Promise<void>): Promise<number> {
  return transact(ctx, work).then(
    () => 1,
    (err: unknown) => {
      ctx.log.warn({ err, productId }, 'plays could not be summed up');
      return 0;
    },
  );
}

/** The rows of one show each, and not too many of them. */
function partsOf<Row extends { productId: number }>(rows: Row[], { atOnce }: Limits): Row[][] {
  const parts: Row[][] = [];
  for (const row of rows) {
    const part = parts.at(-1) ?? [];
    if (part[0]?.productId === row.productId && part.length < atOnce) part.push(row);
    else parts.push([row]);
  }
  return parts;
}

const listShows = ({ db }: Ctx, after: number, limits: Limits): Promise<Show[]> =>
  db
    .select({ id: products.id, creatorId: products.creatorId })
    .from(products)
    .where(gt(products.id, after))
    .orderBy(asc(products.id))
    .limit(limits.shows);

async function listStaleMonths({ db, now }: Ctx, shows: Show[], limits: Limits): Promise<StaleMonth[]> {
  return db.execute<StaleMonth>(sql`
    select s.id::float8 as "productId", s.creator_id::float8 as "creatorId", d.month::text
    from unnest(${plainArray(shows.map(({ id }) => id))}::bigint[],
      ${plainArray(shows.map(({ creatorId }) => creatorId))}::bigint[]) as s(id, creator_id)
    cross join lateral (
      select ${monthOf(sql`day`)} as month, sum(listens + downloads) as plays from listening_days
      where creator_id = s.creator_id and product_id = s.id and day < ${`${utcMonth(now())}-01`}::date group by 1
    ) d
    left join listening_months m on m.creator_id = s.creator_id and m.product_id = s.id and m.month = d.month
    where d.plays <> coalesce(m.plays, 0)
    order by s.id, d.month limit ${limits.months}`);
}

function listStaleEpisodes({ db }: Ctx, shows: Show[], limits: Limits): Promise<StaleEpisode[]> {
  const { listens, downloads, startsPlays, releasedHour } = episodeTotals;
  return db
    .select({ id: episodes.id, productId: sql<number>`${episodes.productId}::float8` })
    .from(episodes)
    .innerJoin(episodeTotals, eq(episodeTotals.episodeId, episodes.id))
    .where(
      and(
        inArray(
          episodes.productId,
          shows.map(({ id }) => id),
        ),
        isNotNull(episodes.releaseAt),
        or(
          sql`${startsPlays} is distinct from ${listens} + ${downloads}`,
          sql`${releasedHour} is distinct from ${RELEASED_HOUR}`,
        ),
      ),
    )
    .orderBy(asc(episodes.productId), asc(episodes.id))
    .limit(limits.episodes);
}

async function countPart(tx: TxCtx, part: StaleEpisode[]): Promise<void> {
  const ids = part.map(({ id }) => id);
  await lockTotals(tx, ids);
  await countStarts(tx, ids);
}

/** Plays of a stored day wait; those of a new day make the month differ from its days, and it is summed up next time. */
async function sumMonths({ db, reach }: TxCtx, part: StaleMonth[]): Promise<void> {
  const { creatorId, productId, month: first } = part[0]!;
  const months = plainArray(part.map(({ month }) => month));
  const rows = sql`
    (select day, ${monthOf(sql`day`)} as month, listens + downloads as plays, dimensions from listening_days
      where creator_id = ${creatorId} and product_id = ${productId}
        and day between ${first}::date and ${part.at(-1)!.month}::date + 30)`;
  const isStale = sql`month = any(${months}::date[])`;
  await db.execute(sql`
    select from listening_days where creator_id = ${creatorId} and product_id = ${productId}
      and day in (select day from ${rows} r where ${isStale}) order by day for update`);
  await reach('sums.locked');
  await db.execute(sql`
    insert into listening_months (creator_id, product_id, month, plays, dimensions)
    select ${creatorId}, ${productId}, month, plays, ${LIMITED_VALUES}
    from (
      select p.month, p.plays, coalesce(v.dimensions, '{}') as dimensions
      from (select month, sum(plays) as plays from ${rows} r where ${isStale} group by 1) p
      left join (
        select month, jsonb_object_agg(name, counts) as dimensions
        from (
          select month, name, jsonb_object_agg(key, plays) as counts
          from (
            select month, name, key, sum(n::int) as plays
            from ${rows} r, jsonb_each(dimensions) as v(name, numbers), jsonb_each_text(numbers) as c(key, n)
            where ${isStale} group by 1, 2, 3
          ) k group by 1, 2
        ) n group by 1
      ) v using (month)
    ) m
    order by month
    on conflict (creator_id, product_id, month) do update set
      plays = excluded.plays, dimensions = excluded.dimensions`);
}
