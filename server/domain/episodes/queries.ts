import { and, asc, count, desc, eq, gt, inArray, isNotNull, ne, type SQL, sql } from 'drizzle-orm';
import { equalIfGiven, type Inputs, preparedSelect } from '~/db/driver/prepared-select';
import { creators } from '~/db/schema/creators';
import { episodeChapters, episodeTranscripts, promos } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { servedRenditions } from '~/db/schema/renditions';
import { transcriptionRuns } from '~/db/schema/transcription';
import { containsWords, matchesPattern, patternOf } from '~/db/search';
import type { EpisodeStatus } from '~/db/values/episodes';
import type { ListenerDoor } from '~/db/values/insertions';
import type { RunStatus } from '~/db/values/transcription';
import { earlier } from '../../base/time';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { type ActorValues, actorOf, actorValues } from '../../policy/actor-values';
import {
  actorInQuery,
  availableAt,
  type EpisodeFacts,
  type QueryActor,
  whereCountsForBalance,
  whereEpisodeVisible,
  whereGranted,
  whereKept,
  whereListed,
  whereProductVisible,
  whereSeen,
} from '../../policy/visibility';
import type { Actor, Ctx, Reader, TxCtx } from '../../runtime/ctx';
import { KINDS, type KindName } from '../products/kinds';
import { type FetchInRow, fetchInRow } from './audio-fetches';
import { episodeNotFound } from './errors';
import type { ListEpisodes } from './schema';

export type EpisodeRow = typeof episodes.$inferSelect;

const PRODUCT = {
  id: products.id,
  kind: products.kind,
  name: products.name,
  slug: products.slug,
  coverKey: products.coverKey,
  language: products.language,
  priceMinor: products.priceMinor,
  archivedAt: products.archivedAt,
  takenDownAt: products.takenDownAt,
  retiredAt: products.retiredAt,
};
const CREATOR = {
  ...{ id: creators.id, name: creators.name, domain: creators.domain },
  ...{ buttonColor: creators.buttonColor, textColor: creators.textColor },
};

/** An episode with what its views and the visibility rules need, for one actor. */
export type EpisodeRecord = {
  episode: EpisodeRow;
  product: Pick<typeof products.$inferSelect, keyof typeof PRODUCT>;
  creator: Pick<typeof creators.$inferSelect, keyof typeof CREATOR>;
  hasGrant: boolean;
  availableAt: string | null;
  /** The episode's promo; null without one. */
  promo: { key: string; durationMs: number } | null;
  hasTranscript: boolean;
  /** The state of the last transcription by an engine; null if there was none. */
  transcription: RunStatus | null;
  fetch: FetchInRow;
  /** What listeners of each door get now, if clips are in it. */
  served: Partial<Record<ListenerDoor, { bytes: number; durationMs: number }>> | null;
};

type FactsInRow = Pick<EpisodeFacts, 'product' | 'hasGrant' | 'availableAt'> & {
  episode: Omit<EpisodeFacts, 'product' | 'hasGrant' | 'availableAt'>;
};
/** The facts of an episode for the visibility rules, from its record or from a part of one. */
export function factsOf({ episode, product, hasGrant, availableAt }: FactsInRow): EpisodeFacts {
  const { creatorId, status, type, earlyUntil, audioKey, audioBytes, deletedAt, takenDownAt } = episode;
  const own = { creatorId, status, type, earlyUntil, audioKey, audioBytes, deletedAt, takenDownAt };
  return { product, hasGrant, availableAt, ...own };
}

/** Reads the primary key of a small table, so lists need no join. */
const PROMO = sql<EpisodeRecord['promo']>`(
  select json_build_object('key', ${promos.audioKey}, 'durationMs', ${promos.durationMs})
  from ${promos} where ${promos.episodeId} = ${episodes.id})`;

const SERVED = sql<EpisodeRecord['served']>`(
  select json_object_agg(${servedRenditions.door},
    json_build_object('bytes', ${servedRenditions.bytes}, 'durationMs', ${servedRenditions.durationMs}))
  from ${servedRenditions}
  where ${servedRenditions.episodeId} = ${episodes.id} and ${servedRenditions.audioKey} = ${episodes.audioKey})`;

const LAST_RUN = sql<RunStatus | null>`(
  select ${transcriptionRuns.status} from ${transcriptionRuns} where ${transcriptionRuns.episodeId} = ${episodes.id}
  order by ${transcriptionRuns.id} desc limit 1)`;

/** What belongs to an episode itself. */
const ownFields = (actor: QueryActor) => ({
  episode: episodes,
  hasGrant: whereGranted(actor),
  availableAt: availableAt(actor),
  promo: PROMO,
  served: SERVED,
  hasTranscript: sql<boolean>`exists (
    select from ${episodeTranscripts} where ${eq(episodeTranscripts.episodeId, episodes.id)})`,
  transcription: LAST_RUN,
  fetch: fetchInRow,
});

/** The records of episodes as this actor may see them; also for prepared selects. */
export const selectRecords = (db: Reader['db'], actor: QueryActor) =>
  db
    .select({ ...ownFields(actor), product: PRODUCT, creator: CREATOR })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .innerJoin(creators, eq(creators.id, episodes.creatorId));

export const selectEpisodes = (ctx: Reader) => selectRecords(ctx.db, actorInQuery(ctx));

/** The number of all episodes that meet the condition, as a column of a page of them. */
const totalOf = (where: SQL | undefined) => sql<number>`(
  select count(*)::int from ${episodes} inner join ${products} on ${products.id} = ${episodes.productId} where ${where})`;

export async function countEpisodes(ctx: Pick<Ctx, 'db'>, where: SQL | undefined): Promise<number> {
  const [row] = await ctx.db
    .select({ total: count() })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .where(where);
  return row?.total ?? 0;
}

/** An episode of a visible product, of one kind or any kind. @throws episode.not_found */
export async function findEpisodeRecord(ctx: Reader, id: number, kind?: KindName): Promise<EpisodeRecord> {
  const [row] = await selectEpisodes(ctx).where(
    and(eq(episodes.id, id), whereEpisodeVisible(), kind && eq(products.kind, kind)),
  );
  if (!row) throw episodeNotFound();
  return row;
}

/** A deleted episode that can still be restored. @throws episode.not_found */
export async function findDeletedRecord(ctx: Ctx, id: number, kind?: KindName): Promise<EpisodeRecord> {
  const [row] = await selectEpisodes(ctx).where(
    and(eq(episodes.id, id), whereProductVisible(), whereRestorable(ctx.now()), kind && eq(products.kind, kind)),
  );
  if (!row) throw episodeNotFound();
  return row;
}

/** Episodes that are deleted, but not long enough for a job to delete the row. */
export const whereRestorable = (now: Date): SQL => gt(episodes.deletedAt, earlier(now, EPISODE_LIMITS.restorable));

/** Only the row, for jobs, even of a retired product. Null if the episode was deleted. */
export async function lookupEpisodeRow(ctx: Ctx, id: number): Promise<EpisodeRow | null> {
  const [row] = await ctx.db
    .select()
    .from(episodes)
    .where(and(eq(episodes.id, id), whereKept()));
  return row ?? null;
}

/** The current row, locked until the end of the transaction; null if the episode was deleted. */
export async function lockEpisodeRow(tx: TxCtx, id: number): Promise<EpisodeRow | null> {
  const [row] = await tx.db
    .select()
    .from(episodes)
    .where(and(eq(episodes.id, id), whereKept()))
    .for('update');
  return row ?? null;
}

/** Whether the episode is deleted and its row still there. */
export async function isRestorable(ctx: Pick<Ctx, 'db'>, id: number): Promise<boolean> {
  return (await ctx.db.$count(episodes, and(eq(episodes.id, id), isNotNull(episodes.deletedAt)))) > 0;
}

const ORDERS = {
  release_date: [sql`${episodes.releaseAt} asc nulls last`, asc(episodes.id)],
  '-release_date': [sql`${episodes.releaseAt} desc nulls first`, desc(episodes.id)],
  name: [asc(sql`lower(${episodes.name})`), asc(episodes.id)],
  '-name': [desc(sql`lower(${episodes.name})`), desc(episodes.id)],
  number: [sql`${episodes.number} asc nulls last`, asc(episodes.id)],
  '-number': [sql`${episodes.number} desc nulls last`, desc(episodes.id)],
} satisfies Record<ListEpisodes['ordering'], SQL[]>;

const LIST_RULES = { listed: whereListed, seen: whereSeen };

type ListShape = { rule: keyof typeof LIST_RULES; ordering: ListEpisodes['ordering']; actorType: Actor['type'] };
type ListFilter = ActorValues &
  Pick<ListEpisodes, 'productId' | 'kind' | 'type'> & {
    status: EpisodeStatus | undefined;
    /** Filters episodes on hold by whether they lack a release time. */
    isDraft: boolean | undefined;
    pattern: string | undefined;
    season: number | undefined;
    /** Words to search in the name or the notes. */
    words: string | undefined;
  };
type ListValues = ListFilter & { limit: number; offset: number };

/** The name and the beginning of the notes, without markup. */
const SEARCHED = sql`search_text(${episodes.name}) || ' ' || search_text_of_html(left(${episodes.description}, 600))`;

function whereInList(filter: Inputs<ListFilter>, { rule, actorType }: ListShape): SQL | undefined {
  return and(
    eq(episodes.productId, filter.productId),
    LIST_RULES[rule](actorOf(filter, actorType)),
    equalIfGiven(products.kind, filter.kind),
    equalIfGiven(episodes.type, filter.type),
    equalIfGiven(episodes.status, filter.status),
    filter.isDraft === undefined ? undefined : sql`(${episodes.releaseAt} is null) = ${filter.isDraft}`,
    matchesPattern(episodes.name, filter.pattern),
    equalIfGiven(episodes.season, filter.season),
    containsWords(SEARCHED, filter.words),
  );
}

const selectList = preparedSelect((db, values: Inputs<ListValues>, shape: ListShape) => {
  const where = whereInList(values, shape);
  return db
    .select({ ...ownFields(actorOf(values, shape.actorType)), total: totalOf(where) })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .where(where)
    .orderBy(...ORDERS[shape.ordering])
    .limit(values.limit)
    .offset(values.offset);
});

function statusFilter(status: ListEpisodes['status']): Pick<ListFilter, 'status' | 'isDraft'> {
  if (status === 'draft' || status === 'unpublished') return { status: 'on_hold', isDraft: status === 'draft' };
  return { status, isDraft: undefined };
}

/** A product and its creator, which all episodes of a list have in common. */
export type Show = Pick<EpisodeRecord, 'product' | 'creator'>;

/** A page of a product's episodes that meet the visibility rule. */
export async function listEpisodeRows(
  ctx: Ctx,
  { product, creator }: Show,
  input: Omit<ListEpisodes, 'productId'> & { season?: number; words?: string },
  rule: ListShape['rule'],
): Promise<{ total: number; items: EpisodeRecord[] }> {
  const { kind, type, status, search, season, words, ordering, page, pageSize } = input;
  const shown = { productId: product.id, kind, type, ...statusFilter(status), season, words };
  const filter = { ...shown, pattern: patternOf(search), ...actorValues(ctx) };
  const shape = { rule, ordering, actorType: ctx.actor.type };
  const rows = await selectList(ctx.db, { ...filter, limit: pageSize, offset: (page - 1) * pageSize }, shape);
  // a page after the last one has no row that contains the total
  const isBeyond = rows.length === 0 && page > 1;
  const total = isBeyond ? await countEpisodes(ctx, whereInList(filter, shape)) : (rows[0]?.total ?? 0);
  return { total, items: rows.map((row) => ({ product, creator, ...row })) };
}

/** The order for listening: newest first, or from the first part on, as the kind defines. */
export function inPlayOrder(kind: KindName): SQL[] {
  return KINDS[kind].playOrder === 'newest_first'
    ? [desc(episodes.releaseAt), desc(episodes.id)]
    : [asc(episodes.releaseAt), asc(episodes.id)];
}

/** How many published episodes of a product are public and private; trailers don't count. */
export async function countPublished(
  ctx: Pick<Ctx, 'db'>,
  productId: number,
): Promise<{ public: number; private: number }> {
  const rows = await ctx.db
    .select({ type: episodes.type, total: count() })
    .from(episodes)
    .where(and(eq(episodes.productId, productId), whereCountsForBalance()))
    .groupBy(episodes.type);
  const of = (type: string) => rows.find((row) => row.type === type)?.total ?? 0;
  return { public: of('public'), private: of('private') };
}

/** Whether another episode of the product has this slug. */
export async function isSlugTaken(ctx: Ctx, productId: number, slug: string, exceptId = 0): Promise<boolean> {
  const [row] = await ctx.db
    .select({ id: episodes.id })
    .from(episodes)
    .where(and(eq(episodes.productId, productId), eq(episodes.slug, slug), ne(episodes.id, exceptId), whereKept()));
  return row !== undefined;
}

/** The slugs among these that episodes of the product already have. */
export async function takenSlugs(ctx: Ctx, productId: number, slugs: string[]): Promise<string[]> {
  const rows = await ctx.db
    .select({ slug: episodes.slug })
    .from(episodes)
    .where(and(eq(episodes.productId, productId), inArray(episodes.slug, slugs), whereKept()));
  return rows.map((row) => row.slug);
}

/** Whether an episode has chapters before its end, as a column of a query from `episodes`. They are in order. */
export const hasChapters = sql<boolean>`exists (
  select from ${episodeChapters} where ${episodeChapters.episodeId} = ${episodes.id}
  and jsonb_array_length(${episodeChapters.chapters}) > 0
  and (${episodes.durationMs} is null or (${episodeChapters.chapters} -> 0 ->> 'startMs')::bigint < ${episodes.durationMs}))`;
