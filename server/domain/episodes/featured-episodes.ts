import { and, inArray, type SQL, sql } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { DISCOVER_LIMITS } from '../../limits/products';
import { VISITOR } from '../../policy/actor';
import { whereListed, whereQueued } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { KIND_NAMES, type KindName } from '../products/kinds';
import { type EpisodeRecord, inPlayOrder, selectEpisodes } from './queries';

/**
 * `toPlay`: the first episode in play order that all visitors may hear. `matching`: the newest episode that a search
 * has found.
 */
export type Featured = { toPlay: EpisodeRecord | null; matching: EpisodeRecord[] };
/** `heard`: the ids of the episodes that a search has found. */
type Show = { id: number; kind: KindName; heard: number[] };

/** The episodes that a list of products shows, by the product's id. */
export async function listFeatured(
  ctx: Pick<Ctx, 'db' | 'actor' | 'now'>,
  shows: Show[],
): Promise<Map<number, Featured>> {
  const [matching, ...firsts] = await Promise.all([
    idsOfEach(
      ctx,
      shows.filter(({ heard }) => heard.length > 0),
      newestHeard(),
    ),
    ...KIND_NAMES.map((kind) =>
      idsOfEach(
        ctx,
        shows.filter((show) => show.kind === kind),
        firstOf(kind),
      ),
    ),
  ]);
  const toPlay = new Set(firsts.flat());
  const ids = [...matching, ...toPlay];
  const rows = ids.length === 0 ? [] : await selectEpisodes(ctx).where(inArray(episodes.id, ids));
  const byId = new Map(rows.map((row) => [row.episode.id, row]));
  return new Map(
    shows.map(({ id }) => {
      const ofShow = (row: EpisodeRecord | undefined) => (row?.product.id === id ? [row] : []);
      const [first = null] = [...toPlay].flatMap((episode) => ofShow(byId.get(episode)));
      return [id, { toPlay: first, matching: matching.flatMap((episode) => ofShow(byId.get(episode))) }];
    }),
  );
}

/** The episode ids that a query finds for each product, in the query's order. */
async function idsOfEach({ db }: Pick<Ctx, 'db'>, shows: Show[], query: SQL): Promise<number[]> {
  if (shows.length === 0) return [];
  const list = sql.join(
    shows.map(({ id, heard }) => sql`(${id}::bigint, ${`{${heard.join()}}`}::bigint[])`),
    sql`, `,
  );
  const rows = await db.execute<{ id: string }>(
    sql`select found.id from (values ${list}) as show (id, heard) cross join lateral (${query}) found`,
  );
  return rows.map(({ id }) => Number(id));
}

const ofShow = (where: SQL, rest: SQL) => sql`
  select ${episodes.id} from ${episodes} join ${products} on ${products.id} = ${episodes.productId}
  where ${episodes.productId} = show.id and ${where} ${rest}`;

const firstOf = (kind: KindName) =>
  ofShow(whereQueued(VISITOR), sql`order by ${sql.join(inPlayOrder(kind), sql`, `)} limit 1`);

function newestHeard(): SQL {
  const newest = sql`order by ${episodes.releaseAt} desc, ${episodes.id} desc limit ${DISCOVER_LIMITS.episodesPerProduct}`;
  return ofShow(and(whereListed(), sql`${episodes.id} = any(show.heard)`) as SQL, newest);
}
