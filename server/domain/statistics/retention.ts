import { and, eq, inArray, sql } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { episodeMinutes } from '~/db/schema/heard-minutes';
import { MINUTES } from '../../base/time';
import { STATISTICS_LIMITS } from '../../limits/statistics';
import { authorize, may } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { lookupChapters } from '../episodes/chapters';
import { findEpisodeRecord } from '../episodes/queries';
import { audibleChapters } from '../episodes/rules';
import { findProductRecord } from '../products/queries';
import { latestReleases } from './first-hours';
import type { ShowOverviewInput } from './schema';

/**
 * What listeners of our web player have heard of an episode since we count it. `listeners`: sessions that heard any
 * minute of it; `minutes`: of all of them; `average`: minutes of each. A last minute that is a part of one counts as
 * that part, so that nobody hears more than there is.
 */
export type Heard = { listeners: number; minutes: number; average: number; length: number };
/** `curve`: how many of the listeners heard each minute. `chapters`: with the minute in which they begin. */
export type Retention = Heard & { curve: number[]; chapters: { minute: number; title: string }[] };

/**
 * How far listeners of our player get in an episode; null if nobody has heard it there. `chapters`: only for
 * members who may read the episode, as those of finance may not.
 * @throws episode.not_found, product.not_found for others than the team, common.role_not_allowed
 */
export async function retentionOfEpisode(ctx: Ctx, input: ShowOverviewInput): Promise<Retention | null> {
  const found = await findEpisodeRecord(ctx, input.id, input.kind);
  const episode = authorize(ctx, 'product.read', found.episode);
  const { id, creatorId, productId, durationMs } = episode;
  authorize(ctx, 'creator.readStatistics', { id: creatorId });
  const mayReadChapters = may(ctx, 'episode.read', episode);
  const { heard, ...sums } = episodeMinutes;
  const [rows, saved] = await Promise.all([
    ctx.db
      .select({ listeners: sums.listeners, minutes: sums.minutes, heard })
      .from(episodeMinutes)
      .where(
        and(
          eq(episodeMinutes.creatorId, creatorId),
          eq(episodeMinutes.productId, productId),
          eq(episodeMinutes.episodeId, id),
        ),
      )
      .orderBy(episodeMinutes.month),
    mayReadChapters ? lookupChapters(ctx, id) : null,
  ]);
  const sum = (pick: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + pick(row), 0);
  const length = lengthOf(durationMs);
  const curve = Array.from({ length: Math.ceil(length) }, (_, minute) => sum((row) => row.heard[minute] ?? 0));
  const counted = { listeners: sum((row) => row.listeners), minutes: sum((row) => row.minutes) };
  const figures = figuresOf({ ...counted, heardLast: curve.at(-1) ?? 0, length });
  if (!figures) return null;
  return {
    ...figures,
    curve,
    chapters: audibleChapters(saved?.chapters ?? [], durationMs).map(({ startMs, title }) => ({
      ...{ minute: Math.floor(startMs / MINUTES(1)), title },
    })),
  };
}

/** What was heard of the latest episodes of a show, by their ids. @throws product.not_found, common.role_not_allowed */
export async function heardOfShow(ctx: Ctx, { id, kind }: ShowOverviewInput): Promise<Record<number, Heard>> {
  const { product } = await findProductRecord(ctx, id, kind);
  const { creatorId } = authorize(ctx, 'product.read', product);
  authorize(ctx, 'creator.readStatistics', { id: creatorId });
  const released = await latestReleases(ctx, id, STATISTICS_LIMITS.sideBySide);
  if (released.length === 0) return {};
  const { episodeId, listeners, minutes, heard } = episodeMinutes;
  const lastMinute = sql`((${episodes.durationMs} - 1) / ${MINUTES(1)}::int)::text`;
  const rows = await ctx.db
    .select({
      id: episodeId,
      durationMs: episodes.durationMs,
      listeners: sql<number>`sum(${listeners})::float8`,
      minutes: sql<number>`sum(${minutes})::float8`,
      heardLast: sql<number>`coalesce(sum((${heard} ->> ${lastMinute})::int), 0)::float8`,
    })
    .from(episodeMinutes)
    .innerJoin(episodes, eq(episodes.id, episodeId))
    .where(
      and(
        eq(episodeMinutes.creatorId, creatorId),
        eq(episodeMinutes.productId, id),
        inArray(
          episodeId,
          released.map((one) => one.id),
        ),
      ),
    )
    .groupBy(episodeId, episodes.durationMs)
    .orderBy(episodeId);
  return Object.fromEntries(
    rows.flatMap((row) => {
      const figures = figuresOf({ ...row, length: lengthOf(row.durationMs) });
      return figures ? [[row.id, figures]] : [];
    }),
  );
}

const lengthOf = (durationMs: number | null): number => (durationMs ?? 0) / MINUTES(1);

/** `minutes`: whole ones; `heardLast`: how many listeners heard the last one. */
function figuresOf({ heardLast, ...counted }: Omit<Heard, 'average'> & { heardLast: number }): Heard | null {
  const { listeners, length } = counted;
  if (listeners === 0 || length === 0) return null;
  const minutes = counted.minutes - heardLast * (Math.ceil(length) - length);
  return { listeners, minutes, length, average: Math.min(length, minutes / listeners) };
}
