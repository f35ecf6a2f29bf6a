import { and, asc, count, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { SITE_MAP_LIMITS } from '../../limits/paging';
import { whereListed, whereProductPublic } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import type { PageAddress } from './find-page';

/** The public pages that search engines may list, by the kind of their subject. */
export const SITE_MAP_KINDS = ['creators', 'shows', 'episodes'] as const;
export type SiteMapKind = (typeof SITE_MAP_KINDS)[number];
export type SiteMapPage = PageAddress & { changedAt: Date };

type Scope = { kind: SiteMapKind; creatorId: number | null };
type PageRow = { id: number; changedAt: Date; domain: string; slug?: string; episodeSlug?: string };

/** The number of files that the pages of each kind need, of one creator or of all creators. */
export async function countSiteMaps(
  ctx: Pick<Ctx, 'db'>,
  creatorId: number | null,
): Promise<Record<SiteMapKind, number>> {
  const totals = await Promise.all(
    SITE_MAP_KINDS.map(async (kind) => {
      const [row] = await SOURCES[kind].count(ctx, whereShown({ kind, creatorId }));
      return Math.ceil((row?.total ?? 0) / SITE_MAP_LIMITS.pages);
    }),
  );
  return { creators: totals[0]!, shows: totals[1]!, episodes: totals[2]! };
}

/** The pages of one file, in batches, so that only one batch is in memory. `part` counts from 1. */
export async function* listSiteMap(
  ctx: Pick<Ctx, 'db'>,
  { part, ...scope }: Scope & { part: number },
): AsyncGenerator<SiteMapPage[], void> {
  const { pages, batch } = SITE_MAP_LIMITS;
  const { list, id } = SOURCES[scope.kind];
  const shown = whereShown(scope);
  const before = (part - 1) * pages;
  let rows: PageRow[] = await list(ctx, shown, { limit: batch, offset: before });
  for (let sent = rows.length; rows.length > 0; sent += rows.length) {
    yield rows.map(({ id: _, ...page }) => page);
    const last = rows.at(-1)!.id;
    const limit = Math.min(batch, pages - sent);
    rows = limit > 0 ? await list(ctx, and(shown, gt(id, last)) as SQL, { limit, offset: 0 }) : [];
  }
}

function whereShown({ kind, creatorId }: Scope): SQL {
  const own = creatorId === null ? undefined : eq(creators.id, creatorId);
  return and(isNull(creators.closedAt), own, SHOWN[kind]()) as SQL;
}

const SHOWN: Record<SiteMapKind, () => SQL> = {
  creators: () =>
    sql`exists (select from ${products} where ${and(eq(products.creatorId, creators.id), whereProductPublic())})`,
  shows: whereProductPublic,
  episodes: whereListed,
};

type Db = Pick<Ctx, 'db'>;
type Slice = { limit: number; offset: number };
const total = { total: count() };

const SOURCES = {
  creators: {
    id: creators.id,
    count: ({ db }: Db, where: SQL) => db.select(total).from(creators).where(where),
    list: ({ db }: Db, where: SQL, { limit, offset }: Slice): Promise<PageRow[]> =>
      db
        .select({ id: creators.id, changedAt: creators.updatedAt, domain: creators.domain })
        .from(creators)
        .where(where)
        .orderBy(asc(creators.id))
        .limit(limit)
        .offset(offset),
  },
  shows: {
    id: products.id,
    count: ({ db }: Db, where: SQL) =>
      db.select(total).from(products).innerJoin(creators, eq(creators.id, products.creatorId)).where(where),
    list: ({ db }: Db, where: SQL, { limit, offset }: Slice): Promise<PageRow[]> =>
      db
        .select({ id: products.id, changedAt: products.changedAt, domain: creators.domain, slug: products.slug })
        .from(products)
        .innerJoin(creators, eq(creators.id, products.creatorId))
        .where(where)
        .orderBy(asc(products.id))
        .limit(limit)
        .offset(offset),
  },
  episodes: {
    id: episodes.id,
    count: ({ db }: Db, where: SQL) =>
      db
        .select(total)
        .from(episodes)
        .innerJoin(products, eq(products.id, episodes.productId))
        .innerJoin(creators, eq(creators.id, products.creatorId))
        .where(where),
    list: ({ db }: Db, where: SQL, { limit, offset }: Slice): Promise<PageRow[]> =>
      db
        .select({
          id: episodes.id,
          changedAt: episodes.updatedAt,
          domain: creators.domain,
          slug: products.slug,
          episodeSlug: episodes.slug,
        })
        .from(episodes)
        .innerJoin(products, eq(products.id, episodes.productId))
        .innerJoin(creators, eq(creators.id, products.creatorId))
        .where(where)
        .orderBy(asc(episodes.id))
        .limit(limit)
        .offset(offset),
  },
};
