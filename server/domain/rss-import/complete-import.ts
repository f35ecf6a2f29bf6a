import { and, eq, isNull, notInArray } from 'drizzle-orm';
import { rssImports } from '~/db/schema/rss-import';
import { OPEN_STATUSES } from '~/db/values/rss-import';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { changeEpisodes } from '../episodes/batches';
import { importNotFound } from './errors';
import { makeOldFeedPrivate } from './old-feeds';
import { findOwnImport } from './queries';
import type { FindImport } from './schema';

/**
 * Marks the result as seen by the creator: clients no longer show it. Repeating it is harmless. @throws
 * import.not_found
 */
export async function acknowledgeImport(ctx: Ctx, { id }: FindImport): Promise<void> {
  const found = authorize(ctx, 'product.manage', await findOwnImport(ctx, id));
  const isFinal = notInArray(rssImports.status, OPEN_STATUSES);
  await ctx.db
    .update(rssImports)
    .set({ seenAt: ctx.now() })
    .where(and(eq(rssImports.id, found.id), isFinal, isNull(rssImports.seenAt)));
}

/**
 * Makes all episodes of the imported show private, and those that follow from its former host. @throws import.not_found,
 * product.not_found
 */
export async function markImportedPrivate(ctx: Ctx, { id }: FindImport): Promise<{ updated: number }> {
  const { productId } = authorize(ctx, 'product.manage', await findOwnImport(ctx, id));
  if (productId === null) throw importNotFound();
  await makeOldFeedPrivate(ctx, productId);
  const { changed } = await changeEpisodes(ctx, { productId, action: 'private' });
  return { updated: changed };
}
