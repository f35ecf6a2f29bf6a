import { eq, inArray, or } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { oldFeeds, rssImports } from '~/db/schema/rss-import';
import type { Ctx } from '../../runtime/ctx';

/**
 * Deletes a deleted account's imports, which stops a running one, its followed feeds, and the addresses of feeds'
 * owners.
 */
export async function eraseImports(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const own = ctx.db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
  await ctx.db.delete(oldFeeds).where(or(eq(oldFeeds.userId, userId), inArray(oldFeeds.creatorId, own)));
  await ctx.db.delete(rssImports).where(or(eq(rssImports.userId, userId), inArray(rssImports.creatorId, own)));
}
