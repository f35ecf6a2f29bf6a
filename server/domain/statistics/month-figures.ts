import { and, asc, count, eq, gte, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import { plainArray } from '~/db/driver/plain-array';
import { episodes } from '~/db/schema/episodes';
import { episodeMonths, listeningDays } from '~/db/schema/listening';
import { products } from '~/db/schema/products';
import type { ShowPoint } from '../../adapters/statistics/port';
import { dayAfter, monthBounds, startOfDay, utcDay } from '../../base/time';
import { REPORT_LIMITS } from '../../limits/statistics';
import { whereKept, whereProductVisible, wherePublished } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { breakDown } from './breakdown';
import { firstDay } from './period-statistics';
import { bucketsOf, countedDays, type Period, type Slice } from './rules';

/**
 * Plays of a month by local day, from the first counted one on. `before`: those of the month before; null if it was not
 * counted from its first day.
 */
export type MonthOfPlays = { days: { day: string; plays: number }[]; before: number[] | null };

export type ShowMonth = MonthOfPlays & {
  id: number;
  name: string;
  /** Listeners by downloads on an average day; null if only a few days were counted. */
  listenersPerDay: number | null;
  /** Episodes that were released in the month. */
  released: number;
  best: { name: string; plays: number } | null;
};

export type MonthFigures = {
  month: string;
  monthBefore: string;
  /** The first counted day, if it is in the month and not its first. */
  since: string | null;
  all: MonthOfPlays;
  /** Those with plays in the month, most plays first. */
  shows: ShowMonth[];
  /** Further shows with plays, and deleted ones. */
  otherShows: number;
  countries: Slice[];
  apps: Slice[];
};

type Asked = { creatorId: number; month: string; zone: string };

/** What a creator's shows did in a month of the zone, and in the month before. */
export async function figuresOfMonth(ctx: Ctx, { creatorId, month, zone }: Asked): Promise<MonthFigures> {
  const period = monthPeriod(month, zone);
  const before = monthPeriod(monthBefore(month), zone);
  const [since, plays, playsBefore, { country, app }] = await Promise.all([
    firstDay(ctx, { creatorId }),
    ctx.ports.statistics.sumShows(creatorId, bucketsOf(period)),
    ctx.ports.statistics.sumShows(creatorId, bucketsOf(before)),
    breakDown(ctx, { creatorId }, { period, filters: {} }),
  ]);
  const ranked = rankShows(plays);
  const isCompared = since !== null && since <= before.from;
  const counted = daysSince(period, since, plays);
  const [sums, sumsBefore] = [sumByDay(plays), sumByDay(playsBefore)];
  const monthOf = (show: number | 'all'): MonthOfPlays => ({
    days: counted.map((day) => ({ day, plays: sums.get(show)?.get(day) ?? 0 })),
    before: isCompared ? bucketsOf(before).map(({ at }) => sumsBefore.get(show)?.get(at) ?? 0) : null,
  });
  const shown = ranked.slice(0, REPORT_LIMITS.shows);
  const facts = await factsOfShows(ctx, { creatorId, ids: shown, period });
  return {
    ...{ month, monthBefore: monthBefore(month), all: monthOf('all') },
    since: counted[0] === undefined || counted[0] === period.from ? null : counted[0],
    shows: facts.map((show) => ({ ...show, ...monthOf(show.id) })),
    otherShows: ranked.length - facts.length,
    ...{ countries: country ?? [], apps: app ?? [] },
  };
}

/** `2026-11` → `2026-10` */
export function monthBefore(month: string): string {
  const [first] = monthBounds(month);
  return dayAfter(utcDay(first), -1).slice(0, 7);
}

/** The month by local days. */
export function monthPeriod(month: string, zone: string): Period {
  const [first, next] = monthBounds(month);
  return { from: utcDay(first), to: dayAfter(utcDay(next), -1), zone, granularity: 'day' };
}

/**
 * The days of a period from the first counted play on. `since` is a UTC day, so in some zones that play was on the day
 * before.
 */
function daysSince(period: Period, since: string | null, plays: ShowPoint[]): string[] {
  const first = plays.reduce((day, { plays, at }) => (plays > 0 && day !== null && at < day ? at : day), since);
  const days = bucketsOf(period).map(({ at }) => at);
  return days.slice(days.length - countedDays(period, { since: first, today: period.to }));
}

/** Of each show, and of all together. */
function sumByDay(rows: ShowPoint[]): Map<number | 'all', Map<string, number>> {
  const sums = new Map<number | 'all', Map<string, number>>([['all', new Map()]]);
  for (const { productId, at, plays } of rows) {
    if (!sums.has(productId)) sums.set(productId, new Map());
    for (const days of [sums.get('all')!, sums.get(productId)!]) days.set(at, (days.get(at) ?? 0) + plays);
  }
  return sums;
}

/** The ids of shows with plays, most plays first. */
function rankShows(rows: ShowPoint[]): number[] {
  const totals = new Map<number, number>();
  for (const { productId, plays } of rows) totals.set(productId, (totals.get(productId) ?? 0) + plays);
  return [...totals].sort(([a, m], [b, n]) => n - m || a - b).map(([id]) => id);
}

type Shows = { creatorId: number; ids: number[]; period: Period };
type ShowFacts = Omit<ShowMonth, keyof MonthOfPlays>;

async function factsOfShows(ctx: Ctx, shows: Shows): Promise<ShowFacts[]> {
  if (shows.ids.length === 0) return [];
  const [names, listeners, released, best] = await Promise.all([
    namesOf(ctx, shows.ids),
    listenersOf(ctx, shows),
    releasesOf(ctx, shows),
    bestEpisodes(ctx, shows),
  ]);
  const visible = shows.ids.filter((id) => names.has(id));
  return visible.map((id) => ({
    id,
    name: names.get(id)!,
    listenersPerDay: listeners.get(id) ?? null,
    released: released.get(id) ?? 0,
    best: best.get(id) ?? null,
  }));
}

async function namesOf({ db }: Ctx, ids: number[]): Promise<Map<number, string>> {
  const rows = await db
    .select({ id: products.id, name: products.name })
    .from(products)
    .where(and(inArray(products.id, ids), whereProductVisible()))
    .orderBy(asc(products.id));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** On an average UTC day, as everywhere, from the first counted one of each show on. A few days are no average. */
async function listenersOf({ db }: Ctx, { creatorId, ids, period }: Shows): Promise<Map<number, number>> {
  const ofShow = sql`from ${listeningDays} d where d.creator_id = ${creatorId} and d.product_id = show.id`;
  const rows = await db.execute<{ id: number; since: string | null; sum: number }>(sql`
    select show.id::float8 as id, (select min(d.day)::text ${ofShow}) as since,
      (select coalesce(sum(d.listeners), 0)::float8 ${ofShow} and d.day between ${period.from} and ${period.to}) as sum
    from unnest(${plainArray(ids)}::bigint[]) as show (id)`);
  return new Map(
    rows.flatMap(({ id, since, sum }) => {
      const days = countedDays(period, { since, today: period.to });
      return days < REPORT_LIMITS.averageFrom ? [] : [[id, Math.round(sum / days)]];
    }),
  );
}

async function releasesOf({ db }: Ctx, { ids, period }: Shows): Promise<Map<number, number>> {
  const { productId, releaseAt, status } = episodes;
  const { from, until } = boundsOf(period);
  const inMonth = and(isNotNull(releaseAt), gte(releaseAt, from), lt(releaseAt, until));
  const rows = await db
    .select({ productId, released: count() })
    .from(episodes)
    .where(and(inArray(productId, ids), eq(status, 'published'), inMonth, whereKept()))
    .groupBy(productId)
    .orderBy(asc(productId));
  return new Map(rows.map((row) => [row.productId, row.released]));
}

const boundsOf = ({ from, to, zone }: Period) => ({
  from: startOfDay(from, zone),
  until: startOfDay(dayAfter(to, 1), zone),
});

/**
 * The most played episode of each show, of those that are published now. The plays of a few candidates, which have most
 * plays in the UTC month, are added up hour by hour, because a show may have thousands of episodes.
 */
async function bestEpisodes({ db, ports }: Ctx, { creatorId, ids, period }: Shows) {
  const candidates = await db.execute<{ id: number; productId: number; name: string }>(sql`
    with ranked as (
      select ${episodes.id}, ${episodes.productId}, ${episodes.name},
        row_number() over (partition by m.product_id order by m.listens + m.downloads desc, m.episode_id desc) as place
      from ${episodeMonths} m join ${episodes} on ${episodes.id} = m.episode_id
      where m.creator_id = ${creatorId} and m.product_id = any(${plainArray(ids)}::bigint[]) and m.month = ${period.from}
        and ${wherePublished()} and ${whereKept()}
    )
    select id::float8 as id, product_id::float8 as "productId", name
    from ranked where place <= ${REPORT_LIMITS.candidates} order by id desc`);
  if (candidates.length === 0) return new Map();
  const sums = await ports.statistics.sumEpisodes(
    candidates.map(({ id }) => id),
    boundsOf(period),
  );
  const playsOf = new Map(sums.map(({ id, plays }) => [id, plays]));
  const best = new Map<number, { name: string; plays: number }>();
  for (const { id, productId, name } of candidates) {
    const plays = playsOf.get(id) ?? 0;
    if (plays > (best.get(productId)?.plays ?? 0)) best.set(productId, { name, plays });
  }
  return best;
}
