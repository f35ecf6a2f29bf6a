import { and, asc, count, desc, eq, not, sql, sum } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { rssImportItems, rssImports } from '~/db/schema/rss-import';
import type { Page } from '../../base/paging';
import { IMPORT_LIMITS } from '../../limits/rss-import';
import { requireCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { whereProductVisible } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { importNotFound } from './errors';
import type { FindImport, ListItems } from './schema';
import { type ImportRow, type ImportView, type ItemCounts, type ItemView, toImportView, toItemView } from './views';

/** An import of the creator that the user works for. @throws import.not_found, also for other creators' imports */
export async function findOwnImport(ctx: Ctx, id: number): Promise<ImportRow> {
  const { creatorId } = requireCreator(ctx);
  const [row] = await ctx.db
    .select()
    .from(rssImports)
    .where(and(eq(rssImports.id, id), eq(rssImports.creatorId, creatorId)));
  if (!row) throw importNotFound();
  return row;
}

/** @throws import.not_found */
export async function getImport(ctx: Ctx, { id }: FindImport): Promise<ImportView> {
  authorize(ctx, 'product.read', await findOwnImport(ctx, id));
  return findImportView(ctx, id);
}

/** Reads the import without a check of permissions. */
export async function findImportView(ctx: Ctx, id: number): Promise<ImportView> {
  const [row] = await ctx.db.select().from(rssImports).where(eq(rssImports.id, id));
  if (!row) throw importNotFound();
  return toImportView(row, await countItems(ctx, id), ctx.now());
}

/**
 * The number of items in each state, and their bytes; `checking` counts episodes whose audio is being checked,
 * `rejected` episodes whose audio has failed its check, `incomplete` episodes without a part that the feed names.
 */
export function countItems(ctx: Pick<Ctx, 'db'>, importId: number): Promise<ItemCounts> {
  return ctx.db
    .select({
      state: rssImportItems.state,
      items: count(),
      bytes: sum(rssImportItems.bytes).mapWith(Number),
      checking: sql<number>`count(*) filter (where ${episodes.status} = 'in_progress')`.mapWith(Number),
      incomplete: sql<number>`count(*) filter (where jsonb_array_length(${rssImportItems.leftOut}) > 0)`.mapWith(
        Number,
      ),
      rejected: sql<number>`count(*) filter (where ${episodes.status} = 'failed')`.mapWith(Number),
    })
    .from(rssImportItems)
    .leftJoin(episodes, eq(episodes.id, rssImportItems.episodeId))
    .where(eq(rssImportItems.importId, importId))
    .groupBy(rssImportItems.state);
}

/**
 * A page of an import's episodes, in the order of the feed; some may be private by now. @throws import.not_found,
 * common.role_not_allowed
 */
export async function listImportItems(
  ctx: Ctx,
  { id, page, pageSize = IMPORT_LIMITS.listed }: ListItems,
): Promise<Page<ItemView>> {
  authorize(ctx, 'episode.read', await findOwnImport(ctx, id));
  const ofImport = eq(rssImportItems.importId, id);
  const [rows, total] = await Promise.all([
    ctx.db
      .select({
        item: ITEM_COLUMNS,
        episode: {
          status: episodes.status,
          failureReason: episodes.failureReason,
          failureParams: episodes.failureParams,
          deletedAt: episodes.deletedAt,
        },
      })
      .from(rssImportItems)
      .leftJoin(episodes, eq(episodes.id, rssImportItems.episodeId))
      .where(ofImport)
      .orderBy(asc(rssImportItems.position))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    ctx.db.$count(rssImportItems, ofImport),
  ]);
  return { items: rows.map(toItemView), total, page, pageSize };
}

/** All columns except the episode's data from the feed, which is long. */
const ITEM_COLUMNS = {
  id: rssImportItems.id,
  name: rssImportItems.name,
  state: rssImportItems.state,
  reason: rssImportItems.reason,
  reasonParams: rssImportItems.reasonParams,
  leftOut: rssImportItems.leftOut,
  attempts: rssImportItems.attempts,
  retryAt: rssImportItems.retryAt,
  episodeId: rssImportItems.episodeId,
  bytes: rssImportItems.bytes,
};

/** The latest import of the current creator; null without one. */
export async function latestImport(ctx: Ctx): Promise<ImportView | null> {
  const { creatorId } = authorize(ctx, 'product.read', requireCreator(ctx));
  const [row] = await ctx.db
    .select({ id: rssImports.id })
    .from(rssImports)
    .where(and(eq(rssImports.creatorId, creatorId), not(rssImports.isFollowUp)))
    .orderBy(desc(rssImports.id))
    .limit(1);
  return row ? findImportView(ctx, row.id) : null;
}

type Source = { creatorId: number; feedUrl: string };

/** The show that an earlier import of this feed has created, unless it was deleted. */
export async function lookupImportedShow(
  ctx: Pick<Ctx, 'db'>,
  { creatorId, feedUrl }: Source,
): Promise<{ id: number; name: string } | null> {
  const [found] = await ctx.db
    .select({ id: products.id, name: products.name })
    .from(rssImports)
    .innerJoin(products, eq(products.id, rssImports.productId))
    .where(and(eq(rssImports.creatorId, creatorId), eq(rssImports.feedUrl, feedUrl), whereProductVisible()))
    .orderBy(desc(rssImports.id))
    .limit(1);
  return found ?? null;
}
