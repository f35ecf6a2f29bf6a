import { eq, inArray } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { suggestionRuns } from '~/db/schema/suggestions';
import type { Ctx } from '../../runtime/ctx';

/** Deletes what was suggested to a user whose account is deleted. Repeating it is harmless. */
export async function eraseSuggestions(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const own = ctx.db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
  await ctx.db.delete(suggestionRuns).where(inArray(suggestionRuns.creatorId, own));
}
