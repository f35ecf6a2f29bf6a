import { and, asc, count, desc, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { episodes, formerEpisodeSlugs } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { contains } from '~/db/search';
import type { Ctx } from '../../ctx';
import { KINDS, type KindName } from '../products/kinds';
import { episodeNotFound } from './errors';
import type { ListEpisodes } from './schema';

export type EpisodeRow = typeof episodes.$inferSelect;

const shown = {
  episode: episodes,
  product: {
    id: products.id,
    kind: products.kind,
    name: products.name,
    slug: products.slug,
    coverKey: products.coverKey,
    language: products.language,
    priceMinor: products.priceMinor,
  },
  creator: { id: creators.id, name: creators.name, domain: creators.domain },
};

export type EpisodeRecord = {
  episode: EpisodeRow;
  product: {
    id: number;
    kind: KindName;
    name: string;
    slug: string;
    coverKey: string;
    language: string;
    priceMinor: number | null;
  };
  creator: { id: number; name: string; domain: string };
};

/** Episodes with their product and creator. */
export const fromEpisodes = (ctx: Ctx) =>
  ctx.db
    .select(shown)
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .innerJoin(creators, eq(creators.id, episodes.creatorId));

/** An episode of a living product, of one kind or of any. @throws episode.not_found */
export async function findEpisodeRecord(ctx: Ctx, id: number, kind?: KindName): Promise<EpisodeRecord> {
  const [row] = await fromEpisodes(ctx).where(
    and(eq(episodes.id, id), isNull(products.retiredAt), kind && eq(products.kind, kind)),
  );
  if (!row) throw episodeNotFound();
  return row;
}

/** The bare row, also of a retired product: for jobs. @throws episode.not_found */
export async function findEpisodeRow(ctx: Ctx, id: number): Promise<EpisodeRow> {
  const [row] = await ctx.db.select().from(episodes).where(eq(episodes.id, id));
  if (!row) throw episodeNotFound();
  return row;
}

/** An episode of a product by its present slug, else by a former one. Null if there is none. */
export async function lookupEpisodeBySlug(ctx: Ctx, productId: number, slug: string): Promise<EpisodeRecord | null> {
  const [present] = await fromEpisodes(ctx).where(and(eq(episodes.productId, productId), eq(episodes.slug, slug)));
  if (present) return present;
  const [former] = await ctx.db
    .select({ id: formerEpisodeSlugs.episodeId })
    .from(formerEpisodeSlugs)
    .where(and(eq(formerEpisodeSlugs.productId, productId), eq(formerEpisodeSlugs.slug, slug)));
  return former ? findEpisodeRecord(ctx, former.id) : null;
}

const ORDERS = {
  release_date: [sql`${episodes.releaseAt} asc nulls last`, asc(episodes.id)],
  '-release_date': [sql`${episodes.releaseAt} desc nulls first`, desc(episodes.id)],
  name: [asc(sql`lower(${episodes.name})`), asc(episodes.id)],
  '-name': [desc(sql`lower(${episodes.name})`), desc(episodes.id)],
  number: [sql`${episodes.number} asc nulls last`, asc(episodes.id)],
  '-number': [sql`${episodes.number} desc nulls last`, desc(episodes.id)],
} satisfies Record<ListEpisodes['ordering'], SQL[]>;

/**
 * `all`: the owner's view. `published`: what is out, with private ones (listed with a lock). `open`: without them,
 * for free products, where nobody could ever unlock one.
 */
export type EpisodeScope = 'all' | 'published' | 'open';

/** A page of a product's episodes. */
export async function listEpisodeRows(
  ctx: Ctx,
  input: ListEpisodes,
  scope: EpisodeScope,
): Promise<{ total: number; items: EpisodeRecord[] }> {
  const { productId, kind, type, status, search, ordering, page, pageSize } = input;
  const where = and(
    eq(episodes.productId, productId),
    isNull(products.retiredAt),
    kind && eq(products.kind, kind),
    scope === 'all' ? status && eq(episodes.status, status) : eq(episodes.status, 'published'),
    scope === 'open' ? ne(episodes.type, 'private') : undefined,
    type && eq(episodes.type, type),
    contains(episodes.name, search),
  );
  const [items, [counted]] = await Promise.all([
    fromEpisodes(ctx)
      .where(where)
      .orderBy(...ORDERS[ordering])
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    ctx.db
      .select({ total: count() })
      .from(episodes)
      .innerJoin(products, eq(products.id, episodes.productId))
      .where(where),
  ]);
  return { total: counted?.total ?? 0, items };
}

/** What a creator published last, in any product, that everybody may hear. */
export function listLatestRows(ctx: Ctx, creatorId: number, limit: number): Promise<EpisodeRecord[]> {
  return fromEpisodes(ctx)
    .where(
      and(
        eq(episodes.creatorId, creatorId),
        eq(episodes.status, 'published'),
        ne(episodes.type, 'private'),
        isNull(products.retiredAt),
      ),
    )
    .orderBy(desc(episodes.releaseAt), desc(episodes.id))
    .limit(limit);
}

/** How a product's published episodes are ordered for listening: newest first, or from the first part on. */
export function inPlayOrder(kind: KindName): SQL[] {
  return KINDS[kind].playOrder === 'newest_first'
    ? [desc(episodes.releaseAt), desc(episodes.id)]
    : [asc(episodes.releaseAt), asc(episodes.id)];
}

/** Published public and private episodes of a product; trailers don't count. */
export async function countBalance(ctx: Ctx, productId: number): Promise<{ public: number; private: number }> {
  const rows = await ctx.db
    .select({ type: episodes.type, total: count() })
    .from(episodes)
    .where(
      and(
        eq(episodes.productId, productId),
        eq(episodes.status, 'published'),
        inArray(episodes.type, ['public', 'private']),
      ),
    )
    .groupBy(episodes.type);
  const of = (type: string) => rows.find((row) => row.type === type)?.total ?? 0;
  return { public: of('public'), private: of('private') };
}

/** Whether another episode of the product holds this slug. */
export async function isSlugTaken(ctx: Ctx, productId: number, slug: string, exceptId = 0): Promise<boolean> {
  const [row] = await ctx.db
    .select({ id: episodes.id })
    .from(episodes)
    .where(and(eq(episodes.productId, productId), eq(episodes.slug, slug), ne(episodes.id, exceptId)));
  return row !== undefined;
}
