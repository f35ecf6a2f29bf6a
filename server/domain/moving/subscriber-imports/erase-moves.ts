import { eq, inArray, or } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { oldFeedAddresses, subscriberImportLines, subscriberImports } from '~/db/schema/moving';
import type { Ctx } from '../../../runtime/ctx';

/**
 * Deletes a deleted account's lists of subscribers, which stops a running import, and the old addresses of its own
 * private feeds. In other creators' lists, its line is anonymized.
 */
export async function eraseMoves(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const own = ctx.db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
  await ctx.db
    .delete(subscriberImports)
    .where(or(eq(subscriberImports.userId, userId), inArray(subscriberImports.creatorId, own)));
  await ctx.db
    .delete(oldFeedAddresses)
    .where(or(eq(oldFeedAddresses.userId, userId), inArray(oldFeedAddresses.creatorId, own)));
  const anonymous = { email: null, name: '', sealedFeed: null, feedHash: null, userId: null };
  await ctx.db.update(subscriberImportLines).set(anonymous).where(eq(subscriberImportLines.userId, userId));
}
