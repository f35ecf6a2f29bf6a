import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { productSearch } from '~/db/schema/discovery';
import { listeningDays } from '~/db/schema/listening';
import { earlier, utcDay } from '../../base/time';
import { categoriesBelow } from '../../feed/apple-categories';
import { DISCOVER_LIMITS } from '../../limits/products';
import { whereDiscoverable } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { correctWords } from './correct-words';
import { listRowsById, type ProductRecord } from './queries';
import type { DiscoverProducts } from './schema';

/**
 * `search`: the words that were searched, which differ from the input if it was corrected. `heard`: the episodes that
 * contain them, by the product's id.
 */
export type Discovered = {
  items: ProductRecord[];
  total: number;
  search: string | undefined;
  heard: Map<number, number[]>;
};

/**
 * A page of the products on the discovery page, at most `DISCOVER_LIMITS.results` in total. All words must occur in the
 * names of product and creator, in the description, or in one episode; better matches come first (docs/decisions/0167).
 * If nothing matches, mistyped words are corrected.
 */
export async function discoverProducts(ctx: Ctx, input: DiscoverProducts): Promise<Discovered> {
  const found = await findIds(ctx, input);
  if (found.total > 0 || !input.search || input.page > 1) return loadProducts(ctx, found, input.search);
  const corrected = await correctWords(ctx, input.search);
  if (corrected === null) return loadProducts(ctx, found, input.search);
  const again = await findIds(ctx, { ...input, search: corrected });
  return again.total > 0 ? loadProducts(ctx, again, corrected) : loadProducts(ctx, found, input.search);
}

type FoundIds = { ids: number[]; total: number; heard: Discovered['heard'] };

/** The search table only narrows the results: visibility is checked again before they are shown. */
async function loadProducts(
  ctx: Ctx,
  { ids, total, heard }: FoundIds,
  search: string | undefined,
): Promise<Discovered> {
  const rows = new Map((await listRowsById(ctx, ids, whereDiscoverable())).map((row) => [row.product.id, row]));
  return { items: ids.flatMap((id) => rows.get(id) ?? []), total, search, heard };
}

async function findIds({ db }: Pick<Ctx, 'db'>, input: DiscoverProducts): Promise<FoundIds> {
  const { page, pageSize, search, ordering } = input;
  const order = ORDERS[ordering ?? '-popularity'];
  const filter = whereSelected(input);
  const found = search
    ? sql`(${MATCHES}) matches order by ${ordering ? order : sql`rank, ${order}`}`
    : sql`product_search where ${filter} order by ${order}`;
  const rows = await db.execute<{ id: string; total: number; episodes: string[] | null }>(sql`
    with ${search ? steps(search, { filter, order }) : sql``} hits as materialized (
      select product_id, row_number() over () as position from (
        select product_id from ${found} limit ${DISCOVER_LIMITS.results}
      ) in_order
    ),
    page as materialized (
      select product_id, position, (select count(*)::int from hits) as total from hits
      order by position limit ${pageSize} offset ${(page - 1) * pageSize}
    )
    select product_id as id, total, ${search ? EPISODES : sql`null`} as episodes from page order by position`);
  return {
    ids: rows.map(({ id }) => Number(id)),
    total: rows[0]?.total ?? 0,
    heard: new Map(rows.map(({ id, episodes }) => [Number(id), (episodes ?? []).map(Number)])),
  };
}

/** The columns exist in `product_search` and in the matches of a search. */
const ORDERS: Record<NonNullable<DiscoverProducts['ordering']>, SQL> = {
  '-popularity': sql`popularity desc, product_id desc`,
  '-created_at': sql`created_at desc, product_id desc`,
  name: sql`sort_name, product_id`,
};

/** The shows that the filters of Discover select, in a query with `product_search`. */
export function whereSelected(filters: Pick<DiscoverProducts, 'kind' | 'category' | 'language' | 'price'>): SQL {
  const { kind, category, language, price } = filters;
  const conditions = [
    kind === undefined ? undefined : eq(productSearch.kind, kind),
    category === undefined ? undefined : inArray(productSearch.category, categoriesBelow(category)),
    language === undefined ? undefined : eq(productSearch.language, language),
    price === undefined ? undefined : eq(productSearch.isFree, price === 'free'),
  ];
  return and(...conditions) ?? sql`true`;
}

/**
 * The steps of a search: `named`, `described` and `heard` contain products with their rank: 0 the whole name, 1 the
 * names, 2 the description, 3 an episode. A search that has found enough stops, because pages show no more.
 */
function steps(search: string, { filter, order }: { filter: SQL; order: SQL }): SQL {
  const { results, episodeMatches } = DISCOVER_LIMITS;
  const unlessEnough = (limit: number, table: SQL) =>
    sql`(select case when count(*) < ${results} then ${limit} else 0 end from ${table})`;
  const query = sql`(select words from query)`;
  const best = (rank: SQL, where: SQL, limit: SQL) => sql`
    (select product_id, popularity, created_at, sort_name, ${rank} as rank from product_search
    where ${where} and ${filter} order by ${order} limit ${limit})`;
  const isWhole = sql`case when sort_name = (select text from written) then 0 else 1 end`;
  return sql`
    written as materialized (select search_text(${search}) as text),
    query as materialized (
      select coalesce(string_agg(distinct '(' || stems || ')', ' | '), '')::tsquery as words from (
        select plainto_tsquery(search_config(language), (select text from written))::text as stems from ${LANGUAGES} spoken
      ) in_each_language where stems <> ''
    ),
    named as materialized ${best(isWhole, sql`names @@ ${query}`, sql`${results}`)},
    described as materialized ${best(sql`2`, sql`about @@ ${query}`, unlessEnough(results, sql`named`))},
    episodes_heard as materialized (
      select product_id, episode_id from episode_search where words @@ ${query}
      limit ${unlessEnough(episodeMatches, sql`(select product_id from named union select product_id from described) better`)}
    ),
    heard as materialized ${best(sql`3`, sql`product_id in (select product_id from episodes_heard)`, sql`${results}`)},`;
}

const MATCHES = sql`
  select product_id, popularity, created_at, sort_name, min(rank) as rank from (
    select * from named union all select * from described union all select * from heard
  ) each_match group by product_id, popularity, created_at, sort_name`;

/** The matching episodes of a product on the page. */
const EPISODES = sql`(select array_agg(episode_id) from episodes_heard where product_id = page.product_id)`;

/** One index lookup for each language. */
const LANGUAGES = sql`(
  with recursive found as (
    (select language from product_search order by language limit 1)
    union all
    select (select s.language from product_search s where s.language > found.language order by s.language limit 1)
    from found where found.language is not null
  )
  select language from found where language is not null)`;

/** The languages of all products that visitors can discover, even those with few products. */
export async function listDiscoverLanguages({ db }: Pick<Ctx, 'db'>): Promise<string[]> {
  const rows = await db.execute<{ language: string }>(sql`select language from ${LANGUAGES} spoken order by language`);
  return rows.map(({ language }) => language);
}

/** Counts the listens and downloads of the last days, by which Discover sorts. Safe to repeat at any time. */
export async function refreshPopularity(ctx: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const from = utcDay(earlier(ctx.now(), DISCOVER_LIMITS.popularFor));
  await ctx.db.execute(sql`
    update ${productSearch} set popularity = counted.plays
    from (
      select s.product_id, least(coalesce(sum(${listeningDays.listens} + ${listeningDays.downloads}), 0), 2147483647) as plays
      from product_search s left join ${listeningDays} on ${listeningDays.productId} = s.product_id and ${listeningDays.day} >= ${from}
      group by 1
    ) counted
    where counted.product_id = ${productSearch.productId} and counted.plays <> ${productSearch.popularity}`);
}
