import { desc, eq, sql } from 'drizzle-orm';
import { productSearch } from '~/db/schema/discovery';
import { listeningDays } from '~/db/schema/listening';
import { products } from '~/db/schema/products';
import { earlier, utcDay } from '../../base/time';
import { CATEGORIES, type Category } from '../../feed/apple-categories';
import { POPULAR_LIMITS } from '../../limits/products';
import { whereDiscoverable } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import type { CoverUrls } from '../media/rules';
import { listRowsById } from '../products/queries';
import { type ProductView, toProductView } from '../products/views';

export type PopularShows = {
  /** The shows with the most listens and downloads of the last seven days. */
  trending: ProductView[];
  /** The main categories of popular shows, each with the cover of its most popular one. */
  categories: { category: Category; cover: CoverUrls }[];
};

type Candidate = { id: number; category: number; plays: number };

/**
 * What listeners play now, free and paid; explicit shows are left out. Only the most popular shows of the last 30 days,
 * which an index has, are candidates, so that the sums read few rows.
 */
export async function popularShows(ctx: Ctx): Promise<PopularShows> {
  const candidates = await listCandidates(ctx);
  const byPlays = candidates.filter(({ plays }) => plays > 0).toSorted((a, b) => b.plays - a.plays);
  const trending = byPlays.slice(0, POPULAR_LIMITS.trending * 2);
  const firsts = firstOfEachCategory(candidates);
  const ids = [...new Set([...trending, ...firsts].map(({ id }) => id))];
  const rows = await listRowsById(ctx, ids, whereDiscoverable());
  const shown = new Map(rows.filter(({ product }) => !product.explicit).map((row) => [row.product.id, row]));
  const views = trending.flatMap(({ id }) => shown.get(id) ?? []).map((row) => toProductView(ctx, row));
  const categories = firsts.flatMap(({ id, category }) => {
    const [row, main] = [shown.get(id), CATEGORIES.find((each) => each.id === category)];
    return row && main ? [{ category: main, cover: toProductView(ctx, row).cover }] : [];
  });
  return {
    trending: views.slice(0, POPULAR_LIMITS.trending),
    categories: categories.slice(0, POPULAR_LIMITS.categories),
  };
}

/** The most popular shows, with their plays of the last days, the most popular one first. */
function listCandidates({ db, now }: Ctx): Promise<Candidate[]> {
  const from = utcDay(earlier(now(), POPULAR_LIMITS.trendingFor));
  const { productId, category, popularity } = productSearch;
  const { creatorId, day, listens, downloads } = listeningDays;
  const plays = sql<number>`coalesce((
    select sum(${listens} + ${downloads}) from ${listeningDays}
    where ${creatorId} = ${products.creatorId} and ${listeningDays.productId} = ${products.id} and ${day} >= ${from}), 0)`;
  return db
    .select({ id: productId, category, plays: plays.mapWith(Number) })
    .from(productSearch)
    .innerJoin(products, eq(products.id, productId))
    .orderBy(desc(popularity), desc(productId))
    .limit(POPULAR_LIMITS.candidates);
}

/** Each show counts for the main category above its own. */
function firstOfEachCategory(candidates: Candidate[]): Candidate[] {
  const firsts = new Map<number, Candidate>();
  for (const candidate of candidates) {
    const { parentId, id } = CATEGORIES.find((each) => each.id === candidate.category) ?? { parentId: null, id: 0 };
    const category = parentId ?? id;
    if (!firsts.has(category)) firsts.set(category, { ...candidate, category });
  }
  return [...firsts.values()];
}
