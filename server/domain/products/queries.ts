import { and, asc, count, desc, eq, inArray, isNotNull, isNull, like, ne, or, type SQL, sql } from 'drizzle-orm';
import { equalIfGiven, type Inputs, preparedSelect } from '~/db/driver/prepared-select';
import { grants } from '~/db/schema/access';
import { creators, domains } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { feedRedirects } from '~/db/schema/moving';
import { formerProductSlugs, products } from '~/db/schema/products';
import { matchesPattern, patternOf } from '~/db/search';
import { lookupFormerOwner } from '~/db/slug-history';
import type { Language } from '~/locales/languages';
import { countLive } from '../../policy/holder-counts';
import {
  actorInQuery,
  grantedUntil,
  whereDiscoverable,
  whereGranted,
  whereKept,
  whereListed,
  whereProductOffered,
  whereProductVisible,
} from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { productNotFound } from './errors';
import type { KindName } from './kinds';
import type { ListProducts } from './schema';

export type ProductRow = typeof products.$inferSelect;

const episodesCount = sql<number>`(
  select count(*)::int from ${episodes} where ${eq(episodes.productId, products.id)} and ${whereListed()}
)`;

/** Trailers are no episodes: pages count what people come for. */
const fullEpisodesCount = sql<number>`(
  select count(*)::int from ${episodes}
  where ${eq(episodes.productId, products.id)} and ${ne(episodes.type, 'trailer')} and ${whereListed()}
)`;

const CREATOR = {
  id: creators.id,
  name: creators.name,
  domain: creators.domain,
  avatarKey: creators.avatarKey,
  buttonColor: creators.buttonColor,
  textColor: creators.textColor,
};

/** A product with the data that its views need. */
export type ProductRecord = {
  product: ProductRow;
  creator: Pick<typeof creators.$inferSelect, keyof typeof CREATOR>;
  episodesCount: number;
  fullEpisodesCount: number;
};

const selectProducts = (ctx: Pick<Ctx, 'db'>) =>
  ctx.db
    .select({ product: products, creator: CREATOR, episodesCount, fullEpisodesCount })
    .from(products)
    .innerJoin(creators, eq(creators.id, products.creatorId));

/** The id is unique; a slug is unique among the creator's visible products. */
type ProductKey = { id: number; creatorId?: number; kind?: KindName; slug?: undefined } | OwnSlug;
type OwnSlug = { creatorId: number; slug: string; id?: undefined; kind?: undefined };

const selectVisibleProducts = preparedSelect((db, { id, creatorId, kind, slug }: Inputs<ProductKey>) =>
  selectProducts({ db }).where(
    and(
      whereProductVisible(),
      equalIfGiven(products.id, id),
      equalIfGiven(products.creatorId, creatorId),
      equalIfGiven(products.kind, kind),
      equalIfGiven(products.slug, slug),
    ),
  ),
);

/** A visible product by its id, of one kind or any kind. @throws product.not_found */
export async function findProductRecord(ctx: Ctx, id: number, kind?: KindName): Promise<ProductRecord> {
  const [row] = await selectVisibleProducts(ctx.db, { id, kind });
  if (!row) throw productNotFound();
  return row;
}

const selectAtAddress = preparedSelect((db, { domain, slug }: Inputs<{ domain: string; slug: string }>) =>
  db
    .select({ product: products, creator: creators, episodesCount, fullEpisodesCount })
    .from(domains)
    .innerJoin(creators, eq(creators.id, domains.creatorId))
    .innerJoin(products, eq(products.creatorId, creators.id))
    .where(and(eq(domains.domain, domain), eq(products.slug, slug), whereProductVisible())),
);

/** A visible product by its current slug and its creator's domain, current or former, with the whole creator. */
export async function lookupProductAtAddress(ctx: Pick<Ctx, 'db'>, address: { domain: string; slug: string }) {
  const [row] = await selectAtAddress(ctx.db, { domain: address.domain, slug: address.slug });
  return row ?? null;
}

/** A creator's product by its current slug, otherwise by a former one. Null if the slug was never used. */
export async function lookupProductBySlug(
  ctx: Pick<Ctx, 'db'>,
  creatorId: number,
  slug: string,
): Promise<ProductRecord | null> {
  const [current] = await selectVisibleProducts(ctx.db, { creatorId, slug });
  if (current) return current;
  const id = await lookupFormerOwner(ctx.db, formerProductSlugs, { scopeId: creatorId, slug });
  const [former] = id === null ? [] : await selectVisibleProducts(ctx.db, { creatorId, id });
  return former ?? null;
}

/** When the last product with this current or former slug was retired; null if none was. */
export async function lookupRetirement({ db }: Pick<Ctx, 'db'>, creatorId: number, slug: string): Promise<Date | null> {
  const id = await lookupFormerOwner(db, formerProductSlugs, { scopeId: creatorId, slug });
  const named = or(eq(products.slug, slug), equalIfGiven(products.id, id ?? undefined));
  const [row] = await db
    .select({ retiredAt: products.retiredAt })
    .from(products)
    .where(and(eq(products.creatorId, creatorId), isNotNull(products.retiredAt), named))
    .orderBy(desc(products.retiredAt))
    .limit(1);
  return row?.retiredAt ?? null;
}

const ORDERS = {
  created_at: [asc(products.createdAt), asc(products.id)],
  '-created_at': [desc(products.createdAt), desc(products.id)],
  name: [asc(sql`lower(${products.name})`), asc(products.id)],
  '-name': [desc(sql`lower(${products.name})`), desc(products.id)],
} satisfies Record<ListProducts['ordering'], SQL[]>;

/** Visible products by their ids, in any order. */
export async function listProductsByIds(ctx: Pick<Ctx, 'db'>, ids: number[]): Promise<ProductRecord[]> {
  if (ids.length === 0) return [];
  return selectProducts(ctx).where(and(inArray(products.id, ids), whereProductVisible()));
}

type ListValues = Pick<ListProducts, 'kind'> & {
  creatorId: number;
  pattern: string | undefined;
  limit: number;
  offset: number;
};
type ListShape = Pick<ListProducts, 'archived' | 'ordering'> & { offered: boolean };

function whereInList({ creatorId, kind, pattern }: Inputs<ListValues>, { archived, offered }: ListShape) {
  return and(
    eq(products.creatorId, creatorId),
    whereProductVisible(),
    archived ? isNotNull(products.archivedAt) : isNull(products.archivedAt),
    offered ? whereProductOffered() : undefined,
    equalIfGiven(products.kind, kind),
    matchesPattern(products.name, pattern),
  );
}

const selectList = preparedSelect((db, values: Inputs<ListValues>, shape: ListShape) =>
  selectProducts({ db })
    .where(whereInList(values, shape))
    .orderBy(...ORDERS[shape.ordering])
    .limit(values.limit)
    .offset(values.offset),
);
const selectTotal = preparedSelect((db, values: Inputs<ListValues>, shape: ListShape) =>
  db.select({ total: sql<number>`count(*)::int` }).from(products).where(whereInList(values, shape)),
);

/** A page of a creator's products. `offered`: without products that are taken down, which only the team sees. */
export async function listProductRows(
  ctx: Pick<Ctx, 'db'>,
  creatorId: number,
  { kind, archived, page, pageSize, search, ordering }: ListProducts,
  { offered }: { offered: boolean },
): Promise<{ total: number; items: ProductRecord[] }> {
  const values = { creatorId, kind, pattern: patternOf(search), limit: pageSize, offset: (page - 1) * pageSize };
  const shape = { archived, ordering, offered };
  const [items, [counted]] = await Promise.all([selectList(ctx.db, values, shape), selectTotal(ctx.db, values, shape)]);
  return { total: counted?.total ?? 0, items };
}

/** The number of each product's episodes in any status, by the product's id; products without episodes are missing. */
export async function countAllEpisodes(ctx: Pick<Ctx, 'db'>, productIds: number[]): Promise<Map<number, number>> {
  if (productIds.length === 0) return new Map();
  const rows = await ctx.db
    .select({ productId: episodes.productId, total: count() })
    .from(episodes)
    .where(and(inArray(episodes.productId, productIds), whereKept()))
    .groupBy(episodes.productId);
  return new Map(rows.map(({ productId, total }) => [productId, total]));
}

/** Whether another visible product of the creator has this slug. */
export async function isSlugTaken(ctx: Ctx, creatorId: number, slug: string, exceptId?: number): Promise<boolean> {
  const [row] = await ctx.db
    .select({ id: products.id })
    .from(products)
    .where(and(eq(products.creatorId, creatorId), eq(products.slug, slug), or(whereProductVisible(), hasMovedFeed())));
  return row !== undefined && row.id !== exceptId;
}

/** The address of a redirected feed never changes, even after the show was deleted. */
const hasMovedFeed = () => sql`exists (select from ${feedRedirects} where ${feedRedirects.productId} = ${products.id})`;

/** The products with these ids that meet the condition, in any order. */
export async function listRowsById(ctx: Pick<Ctx, 'db'>, ids: number[], where: SQL): Promise<ProductRecord[]> {
  return ids.length === 0 ? [] : selectProducts(ctx).where(and(inArray(products.id, ids), where));
}

/**
 * Discoverable products, free or paid, that `where` selects, products in `language` first, then the newest. Explicit products are
 * left out.
 * @param where may use the columns of `creators`, too
 */
export function listShowcaseRows(
  ctx: Pick<Ctx, 'db'>,
  where: SQL,
  { language, limit }: { language: Language; limit: number },
): Promise<ProductRecord[]> {
  const isInLanguage = sql`split_part(lower(${products.language}), '-', 1) = ${language}`;
  return selectProducts(ctx)
    .where(and(whereDiscoverable(), eq(products.explicit, false), where))
    .orderBy(desc(isInLanguage), desc(products.createdAt), desc(products.id))
    .limit(limit);
}

/** The slugs of a creator's visible products that start with this one. */
export async function listSlugsLike(ctx: Ctx, creatorId: number, slug: string): Promise<Set<string>> {
  const rows = await ctx.db
    .select({ slug: products.slug })
    .from(products)
    .where(
      and(
        eq(products.creatorId, creatorId),
        like(products.slug, `${slug}%`),
        or(whereProductVisible(), hasMovedFeed()),
      ),
    );
  return new Set(rows.map((row) => row.slug));
}

/** The facts in a product's grants: whether the caller is subscribed, until when, and the number of subscribers. */
export type Audience = { isSubscribed: boolean; renews: boolean; accessUntil: string | null; subscribersCount: number };

/** The audience of each product, by its id. A visitor is never subscribed. */
export async function listAudiences(
  ctx: Pick<Ctx, 'db' | 'actor' | 'now'>,
  productIds: number[],
): Promise<Map<number, Audience>> {
  if (productIds.length === 0) return new Map();
  const actor = actorInQuery(ctx);
  const opened = (isPaid: boolean) =>
    countLive({ creatorId: products.creatorId, productId: products.id, isPaid }, ctx.now());
  const rows = await ctx.db
    .select({
      id: products.id,
      isSubscribed: whereGranted(actor),
      renews: whereGranted(actor, sql`(${grants.renews} or ${grants.endsAt} is null)`),
      accessUntil: grantedUntil(actor),
      // following opens a free show only
      subscribersCount: sql<number>`case when ${products.priceMinor} is null then ${opened(false)} else ${opened(true)} end`,
    })
    .from(products)
    .where(inArray(products.id, productIds));
  return new Map(rows.map(({ id, ...audience }) => [id, audience]));
}
