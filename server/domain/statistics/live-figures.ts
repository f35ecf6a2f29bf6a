import { sql } from 'drizzle-orm';
import { plainArray } from '~/db/driver/plain-array';
import { episodes } from '~/db/schema/episodes';
import { downloads, listens } from '~/db/schema/listening';
import { DAYS, earlier, MINUTES, utcDay } from '../../base/time';
import { LIVE_LIMITS, STATISTICS_LIMITS } from '../../limits/statistics';
import { authorize } from '../../policy/authorize';
import { whereKept, wherePublished } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { IS_OF_OWN_PLAYER } from '../listening/rollups';
import { findProductRecord } from '../products/queries';
import { playsByWeek } from './breakdown';
import { type Slice, topSlices } from './rules';
import type { ShowOverviewInput } from './schema';
import { periodOf } from './show-statistics';

/** The plays of the last hour, from the raw events. A download counts in the minute of its first byte. */
export type LiveFigures = {
  asOf: Date;
  /** From the oldest minute to the running one. */
  minutes: { at: Date; plays: number }[];
  plays: number;
  /** Published ones, most plays first. */
  episodes: { id: number; name: string; plays: number }[];
  countries: Slice[];
  /** What is known about the time before, if the hour has no plays. */
  quiet: Quiet | null;
};

/** `lastPlay`: null if there were none in these weeks. `week`: plays by weekday, Monday first, and hour of the zone. */
export type Quiet = { lastPlay: Date | null; week: number[][] };

/** What is played at the moment. @throws product.not_found, common.role_not_allowed */
export async function liveFigures(ctx: Ctx, { id, kind }: ShowOverviewInput): Promise<LiveFigures> {
  const { product } = await findProductRecord(ctx, id, kind);
  const { creatorId } = authorize(ctx, 'product.read', product);
  authorize(ctx, 'creator.readStatistics', { id: creatorId });
  const asOf = ctx.now();
  const first = earlier(startOfMinute(asOf), MINUTES(LIVE_LIMITS.minutes - 1));
  const sums = await sumEvents(ctx, id, { from: first, to: asOf });
  const byMinute = new Map(sums.flatMap(({ minute, plays }) => (minute === null ? [] : [[minute, plays] as const])));
  const minutes = Array.from({ length: LIVE_LIMITS.minutes }, (_, i) => {
    const at = new Date(first.getTime() + MINUTES(i));
    return { at, plays: byMinute.get(at.getTime() / MINUTES(1)) ?? 0 };
  });
  const countries = sums.flatMap(({ country, plays }) => (country === null ? [] : [{ key: country, plays }]));
  const plays = minutes.reduce((sum, minute) => sum + minute.plays, 0);
  return {
    ...{ asOf, minutes, plays },
    episodes: await nameEpisodes(ctx, sums),
    countries: topSlices(countries, LIVE_LIMITS.countries),
    quiet: plays === 0 ? await quietOf(ctx, { creatorId, productId: id }) : null,
  };
}

const startOfMinute = (at: Date): Date => new Date(Math.floor(at.getTime() / MINUTES(1)) * MINUTES(1));

async function quietOf(ctx: Ctx, scope: { creatorId: number; productId: number }): Promise<Quiet> {
  const [lastPlay, { plays: week }] = await Promise.all([
    lookupLastPlay(ctx, scope.productId),
    playsByWeek(ctx, scope, await periodOf(ctx, scope.creatorId, {})),
  ]);
  return { lastPlay, week };
}

/** Each half reads the newest rows of its index. The days choose the partitions. */
async function lookupLastPlay({ db, now }: Ctx, productId: number): Promise<Date | null> {
  const days = sql`day between ${utcDay(earlier(now(), DAYS(STATISTICS_LIMITS.weekDays)))} and ${utcDay(now())}`;
  const [row] = await db.execute<{ at: string | null }>(sql`
    select to_json(greatest(
      (select first_at from ${downloads}
        where product_id = ${productId} and ${days} and counted_in is not null and not ${IS_OF_OWN_PLAYER}
        order by first_at desc limit 1),
      (select at from ${listens} where product_id = ${productId} and ${days} order by at desc limit 1)
    )) #>> '{}' as at`);
  return row?.at ? new Date(row.at) : null;
}

type Sum = { minute: number | null; episode: number | null; country: string | null; plays: number };

/** One row for each minute, each episode and each country. Downloads of our own players are listens already. */
async function sumEvents({ db }: Ctx, productId: number, { from, to }: { from: Date; to: Date }): Promise<Sum[]> {
  const days = sql`day between ${utcDay(from)} and ${utcDay(to)}`;
  const span = [from.toISOString(), to.toISOString()] as const;
  const rows = await db.execute<Sum>(sql`
    with events as (
      select floor(extract(epoch from first_at) / 60)::float8 as minute, episode_id, coalesce(country, 'ZZ') as country
      from ${downloads}
      where product_id = ${productId} and first_at between ${span[0]}::timestamptz and ${span[1]}::timestamptz and ${days}
        and counted_in is not null and not ${IS_OF_OWN_PLAYER}
      union all
      select floor(extract(epoch from at) / 60)::float8, episode_id, coalesce(country, 'ZZ')
      from ${listens}
      where product_id = ${productId} and at between ${span[0]}::timestamptz and ${span[1]}::timestamptz and ${days}
    )
    select minute, episode_id::float8 as episode, country, count(*)::float8 as plays
    from events group by grouping sets ((minute), (episode_id), (country))`);
  return [...rows];
}

/** Only published ones: the names of others are not for all who may read statistics. */
async function nameEpisodes({ db }: Ctx, sums: Sum[]): Promise<LiveFigures['episodes']> {
  const played = sums.flatMap(({ episode, plays }) => (episode === null ? [] : [{ id: episode, plays }]));
  if (played.length === 0) return [];
  const ids = plainArray(played.map(({ id }) => id));
  const plays = plainArray(played.map((each) => each.plays));
  const rows = await db.execute<LiveFigures['episodes'][number]>(sql`
    select ${episodes.id}::float8 as id, ${episodes.name} as name, played.plays::float8 as plays
    from unnest(${ids}::bigint[], ${plays}::bigint[]) as played (id, plays) join ${episodes} on ${episodes.id} = played.id
    where ${whereKept()} and ${wherePublished()}
    order by played.plays desc, played.id limit ${LIVE_LIMITS.episodes}`);
  return [...rows];
}
