import { and, asc, eq, inArray, isNotNull, ne, type SQL, sql } from 'drizzle-orm';
import { episodeChapters } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { clips, insertionPoints, replacedPassages } from '~/db/schema/insertions';
import type { PointOrigin } from '~/db/values/insertions';
import { authorize } from '../../policy/authorize';
import { whereKept } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { findEpisodeRecord } from '../episodes/queries';
import { findProductRecord } from '../products/queries';
import { readPauses } from './pauses';
import { type Pause, proposedPauses } from './rules';
import type { FindPlaces, ListToReview } from './schema';

/** A mid-roll: its number follows its time. `isOfFormerFile`: it was marked before the audio was replaced. */
export type PointView = { id: number; number: number; atMs: number; origin: PointOrigin; isOfFormerFile: boolean };
/** `isOfFormerFile`: the audio was replaced since, so listeners get all of the new one. */
export type PassageView = {
  id: number;
  fromMs: number;
  toMs: number;
  clip: { id: number; name: string } | null;
  isOfFormerFile: boolean;
};
/** The places of an episode, in milliseconds of its file. `pauses`: null until its sound has been measured. */
export type PlacesView = {
  id: number;
  name: string;
  durationMs: number;
  pauses: Pause[] | null;
  proposals: Pause[];
  points: PointView[];
  passages: PassageView[];
};

/** Where clips can play in an episode, for its team. @throws episode.not_found */
export async function viewPlaces(ctx: Ctx, { id }: FindPlaces): Promise<PlacesView> {
  const { episode } = await findEpisodeRecord(ctx, id);
  const { name, durationMs, audioKey } = authorize(ctx, 'episode.read', episode);
  const [pauses, points, passages] = await Promise.all([
    readPauses(ctx, episode),
    ctx.db.select().from(insertionPoints).where(eq(insertionPoints.episodeId, id)).orderBy(asc(insertionPoints.atMs)),
    listPassages(ctx, id),
  ]);
  return {
    id,
    name,
    durationMs: durationMs ?? 0,
    pauses,
    proposals: proposedPauses(pauses ?? [], durationMs ?? 0),
    points: points.map((point, i) => ({
      ...{ id: point.id, number: i + 1, atMs: point.atMs, origin: point.origin },
      isOfFormerFile: point.audioKey !== null && point.audioKey !== audioKey,
    })),
    passages: passages.map(({ audioKey: key, ...passage }) => ({
      ...passage,
      isOfFormerFile: key !== null && key !== audioKey,
    })),
  };
}

async function listPassages(ctx: Pick<Ctx, 'db'>, episodeId: number) {
  const { id, fromMs, toMs, audioKey, clipId } = replacedPassages;
  const rows = await ctx.db
    .select({ id, fromMs, toMs, audioKey, clipId, clipName: clips.name })
    .from(replacedPassages)
    .leftJoin(clips, eq(clips.id, clipId))
    .where(eq(replacedPassages.episodeId, episodeId))
    .orderBy(asc(fromMs));
  return rows.map(({ clipId: ofClip, clipName, ...row }) => ({
    ...row,
    clip: ofClip === null ? null : { id: ofClip, name: clipName ?? '' },
  }));
}

/** An episode in which somebody should mark a point, or look at those of a former file. */
export type EpisodeToReview = { id: number; name: string; points: number; isMeasured: boolean; hasFormer: boolean };

/** `after`: the cursor of the next page; null on the last one. `total`: of all pages. */
export type ReviewPage = { items: EpisodeToReview[]; total: number; after: number | null };

/**
 * A page of the episodes of a show that need a look: they lack a mid-roll of this number, or have points of a file that
 * was replaced. The newest first, from the one after the episode `after` on: episodes leave the list while somebody works
 * through it, so numbered pages would skip some. @throws product.not_found
 */
export async function listToReview(ctx: Ctx, input: ListToReview): Promise<ReviewPage> {
  const { productId, number, after, pageSize } = input;
  const { product } = await findProductRecord(ctx, productId);
  authorize(ctx, 'episode.read', { creatorId: product.creatorId });
  const isOfEpisode = eq(insertionPoints.episodeId, episodes.id);
  const points = sql<number>`(select count(*)::int from ${insertionPoints} where ${isOfEpisode})`;
  const isFormer = and(isOfEpisode, ne(insertionPoints.audioKey, episodes.audioKey));
  const hasFormer = sql<boolean>`exists (select from ${insertionPoints} where ${isFormer})`;
  const needsLook = sql`(${points} < ${number} or ${hasFormer})`;
  const where = and(eq(episodes.productId, productId), isNotNull(episodes.audioKey), whereKept(), needsLook);
  const [found, total] = await Promise.all([
    ctx.db
      .select({
        ...{ id: episodes.id, name: episodes.name, points, hasFormer },
        isMeasured: sql<boolean>`${isNotNull(episodes.peaksKey)}`,
      })
      .from(episodes)
      .where(and(where, after === undefined ? undefined : isPast(productId, after)))
      .orderBy(sql`${RELEASE} desc`, sql`${episodes.id} desc`)
      .limit(pageSize + 1),
    ctx.db.$count(episodes, where),
  ]);
  const items = found.slice(0, pageSize);
  return { items, total, after: found.length > pageSize ? items.at(-1)!.id : null };
}

/** Unreleased episodes are the newest. */
const RELEASE = sql`coalesce(${episodes.releaseAt}, 'infinity')`;

/** Whether an episode comes after another one of its show, which may have left the list. */
const isPast = (productId: number, id: number): SQL => sql`(${RELEASE}, ${episodes.id}) < (
  select coalesce(e.release_at, 'infinity'), e.id from episodes e where e.id = ${id} and e.product_id = ${productId})`;

/** The starts of the chapters of some episodes, in their order, by episode. */
export async function chapterStarts(ctx: Pick<Ctx, 'db'>, episodeIds: number[]): Promise<Map<number, number[]>> {
  if (episodeIds.length === 0) return new Map();
  const rows = await ctx.db
    .select()
    .from(episodeChapters)
    .where(inArray(episodeChapters.episodeId, episodeIds))
    .orderBy(asc(episodeChapters.episodeId));
  return new Map(rows.map(({ episodeId, chapters }) => [episodeId, chapters.map(({ startMs }) => startMs)]));
}
