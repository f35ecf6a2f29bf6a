import { eq, inArray, or } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { rssImports } from '~/db/schema/rss-import';
import type { Ctx } from '../../ctx';

/** Deletes a deleted account's imports, which stops one that runs. The address of a feed's owner goes with them. */
export async function eraseImports(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const own = ctx.db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
  await ctx.db.delete(rssImports).where(or(eq(rssImports.userId, userId), inArray(rssImports.creatorId, own)));
}
