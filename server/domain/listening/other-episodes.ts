import { and, asc, desc, eq, ne, type SQL, sql } from 'drizzle-orm';
import { type Inputs, preparedSelect } from '~/db/driver/prepared-select';
import { episodes } from '~/db/schema/episodes';
import type { Page } from '../../base/paging';
import { type ActorValues, actorOf, actorValues } from '../../policy/actor-values';
import { actorInQuery, whereListed, whereQueued } from '../../policy/visibility';
import type { Actor, Ctx } from '../../runtime/ctx';
import { assertCanSee } from '../episodes/episode-catalog';
import {
  countEpisodes,
  type EpisodeRecord,
  findEpisodeRecord,
  inPlayOrder,
  selectEpisodes,
  selectRecords,
} from '../episodes/queries';
import { type EpisodeView, toEpisodeView } from '../episodes/views';
import { KINDS } from '../products/kinds';
import type { OtherEpisodes, PlayEpisode } from './schema';

type Direction = 'next' | 'previous';

/**
 * The ids of the previous and the next episode in play order that the caller may play; null at either end.
 * @throws episode.not_found
 */
export async function adjacentEpisodes(
  ctx: Ctx,
  { id, kind }: PlayEpisode,
): Promise<{ previous: number | null; next: number | null }> {
  const found = await findEpisodeRecord(ctx, id, kind);
  assertCanSee(ctx, found);
  const [previous, next] = await Promise.all([nearestId(ctx, found, 'previous'), nearestId(ctx, found, 'next')]);
  return { previous, next };
}

async function nearestId(ctx: Ctx, found: EpisodeRecord, direction: Direction): Promise<number | null> {
  const { where, order } = towards(found, direction);
  const [row] = await selectEpisodes(ctx)
    .where(and(audibleEpisodes(ctx, found), where))
    .orderBy(...order)
    .limit(1);
  return row?.episode.id ?? null;
}

/**
 * The other episodes of the same product that the caller may play, in play order. With a direction, only the episodes
 * after or before this one, nearest first. @throws episode.not_found
 */
export async function otherEpisodesOf(ctx: Ctx, input: OtherEpisodes): Promise<Page<EpisodeView>> {
  const { id, kind, direction, page, pageSize } = input;
  const found = await findEpisodeRecord(ctx, id, kind);
  assertCanSee(ctx, found);
  const side = direction && towards(found, direction);
  const where = and(audibleEpisodes(ctx, found), ne(episodes.id, found.episode.id), side?.where);
  const [rows, total] = await Promise.all([
    selectEpisodes(ctx)
      .where(where)
      .orderBy(...(side?.order ?? inPlayOrder(found.product.kind)))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    countEpisodes(ctx, where),
  ]);
  return { items: rows.map((row) => toEpisodeView(ctx, row)), total, page, pageSize };
}

export type EpisodesAround = { previous: EpisodeView[]; next: EpisodeView[] };

/**
 * The nearest listed episodes on both sides in play order, nearest first, including episodes that the caller may not
 * play.
 */
export async function episodesAround(ctx: Ctx, found: EpisodeRecord, limit: number): Promise<EpisodesAround> {
  const { releaseAt, id } = found.episode;
  if (releaseAt === null) return { previous: [], next: [] };
  const here = { at: releaseAt.toISOString(), id, productId: found.product.id, limit, ...actorValues(ctx) };
  const nearest = async (direction: Direction) => {
    const rows = await selectNearest(ctx.db, here, { older: isOlder(found, direction), actorType: ctx.actor.type });
    return rows.map((row) => toEpisodeView(ctx, row));
  };
  const [previous, next] = await Promise.all([nearest('previous'), nearest('next')]);
  return { previous, next };
}

type Nearest = ActorValues & Place & { productId: number; limit: number };
type NearestShape = { older: boolean; actorType: Actor['type'] };

const selectNearest = preparedSelect((db, values: Inputs<Nearest>, { older, actorType }: NearestShape) =>
  selectRecords(db, actorOf(values, actorType))
    .where(and(eq(episodes.productId, values.productId), whereListed(), whereBeyond(values, older)))
    .orderBy(...nearestFirst(older))
    .limit(values.limit),
);

/** The product's published episodes that the caller may play. */
function audibleEpisodes(ctx: Ctx, { product }: EpisodeRecord): SQL | undefined {
  return and(eq(episodes.productId, product.id), whereQueued(actorInQuery(ctx)));
}

/**
 * The episodes on one side of this one, and the order that puts the nearest first. If release times are equal, the id
 * decides, as in every list. An episode without a release time has no adjacent episodes.
 */
function towards(found: EpisodeRecord, direction: Direction): { where: SQL; order: SQL[] } {
  const older = isOlder(found, direction);
  const { releaseAt, id } = found.episode;
  const where = releaseAt === null ? sql`false` : whereBeyond({ at: releaseAt.toISOString(), id }, older);
  return { where, order: nearestFirst(older) };
}

const isOlder = ({ product }: EpisodeRecord, direction: Direction): boolean =>
  (direction === 'next') === (KINDS[product.kind].playOrder === 'newest_first');

type Place = { at: string; id: number };

function whereBeyond({ at, id }: Inputs<Place>, older: boolean): SQL {
  return sql`(${episodes.releaseAt}, ${episodes.id}) ${older ? sql`<` : sql`>`} (${at}::timestamptz, ${id}::bigint)`;
}

function nearestFirst(older: boolean): SQL[] {
  return older ? [desc(episodes.releaseAt), desc(episodes.id)] : [asc(episodes.releaseAt), asc(episodes.id)];
}
