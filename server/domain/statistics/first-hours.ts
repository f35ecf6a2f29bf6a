import { and, desc, eq, gte, inArray, isNotNull, lt, lte } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { episodeTotals } from '~/db/schema/listening';
import { earlier, HOURS, utcDay } from '../../base/time';
import { STATISTICS_LIMITS } from '../../limits/statistics';
import { whereKept } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { runningTotals } from './rules';

/** A published episode. */
export type Released = { id: number; name: string; releasedAt: Date };

/** Plays since the release. Null: the release was before the first play that we counted for the show. */
export type EpisodeFigures = Released & {
  first24h: number | null;
  first7d: number | null;
  first30d: number | null;
  /** Since the release. */
  total: number;
  downloads: number;
};

/** The episodes of a show that were released last. */
export async function latestReleases({ db, now }: Ctx, productId: number, limit: number): Promise<Released[]> {
  const rows = await db
    .select({ id: episodes.id, name: episodes.name, releasedAt: episodes.releaseAt })
    .from(episodes)
    .where(
      and(
        eq(episodes.productId, productId),
        eq(episodes.status, 'published'),
        isNotNull(episodes.releaseAt),
        lte(episodes.releaseAt, now()),
        whereKept(),
      ),
    )
    .orderBy(desc(episodes.releaseAt), desc(episodes.id))
    .limit(limit);
  return rows.map((row) => ({ ...row, releasedAt: row.releasedAt! }));
}

type Since = { since: string | null };

/** How the episodes started. @param since the day of the show's first counted play */
export async function figuresOf(ctx: Ctx, released: Released[], { since }: Since): Promise<EpisodeFigures[]> {
  if (released.length === 0) return [];
  const [sums, totals] = await Promise.all([ctx.ports.statistics.sumStarts(released), sumTotals(ctx, released)]);
  const starts = new Map(sums.map((row) => [row.id, row]));
  return released.map((episode) => {
    const isKnown = since !== null && utcDay(episode.releasedAt) >= since;
    const { day, week, month } = starts.get(episode.id) ?? { day: 0, week: 0, month: 0 };
    const known = (plays: number) => (isKnown ? plays : null);
    return {
      ...episode,
      ...{ first24h: known(day), first7d: known(week), first30d: known(month) },
      ...(totals.get(episode.id) ?? { total: 0, downloads: 0 }),
    };
  });
}

async function sumTotals({ db }: Pick<Ctx, 'db'>, released: Released[]) {
  const { episodeId, listens, downloads } = episodeTotals;
  const ids = released.map(({ id }) => id);
  const rows = await db.select({ episodeId, listens, downloads }).from(episodeTotals).where(inArray(episodeId, ids));
  return new Map(rows.map((row) => [row.episodeId, { total: row.listens + row.downloads, downloads: row.downloads }]));
}

/**
 * The figure 'listeners' of a show: the average number of plays in the first 24 hours of its last 3 episodes (spec §9).
 * Episodes that are younger, or older than our first play, don't count. Null if none counts.
 */
export function listenersOf(figures: EpisodeFigures[], now: Date): number | null {
  const complete = earlier(now, STATISTICS_LIMITS.firstDay);
  const counted = figures
    .filter(({ releasedAt, first24h }) => releasedAt <= complete && first24h !== null)
    .slice(0, STATISTICS_LIMITS.latest);
  if (counted.length === 0) return null;
  return Math.round(counted.reduce((sum, { first24h }) => sum + first24h!, 0) / counted.length);
}

/** The running totals of each episode by hour since its release, up to its age. In the given order. */
export async function totalsByHour({ ports, now }: Ctx, released: Released[]): Promise<number[][]> {
  if (released.length === 0) return [];
  const rows = await ports.statistics.sumHours(released, { hours: STATISTICS_LIMITS.pacingHours });
  const byEpisode = new Map(released.map(({ id }) => [id, new Map<number, number>()]));
  for (const { id, hour, plays } of rows) byEpisode.get(id)?.set(hour, plays);
  return released.map(({ id, releasedAt }) => {
    const hours = Math.ceil((now().getTime() - releasedAt.getTime()) / HOURS(1));
    return runningTotals(byEpisode.get(id)!, Math.min(Math.max(hours, 0), STATISTICS_LIMITS.pacingHours));
  });
}

/** The releases of a period, as marks in its chart. */
export async function releasesBetween(
  { db }: Pick<Ctx, 'db'>,
  { creatorId, productId }: { creatorId: number; productId?: number },
  { from, to }: { from: Date; to: Date },
): Promise<Released[]> {
  const rows = await db
    .select({ id: episodes.id, name: episodes.name, releasedAt: episodes.releaseAt })
    .from(episodes)
    .where(
      and(
        eq(episodes.creatorId, creatorId),
        productId === undefined ? undefined : eq(episodes.productId, productId),
        eq(episodes.status, 'published'),
        gte(episodes.releaseAt, from),
        lt(episodes.releaseAt, to),
        whereKept(),
      ),
    )
    .orderBy(desc(episodes.releaseAt), desc(episodes.id))
    .limit(STATISTICS_LIMITS.releases);
  return rows.map((row) => ({ ...row, releasedAt: row.releasedAt! }));
}
