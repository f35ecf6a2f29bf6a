import { eq, inArray, or } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { apiCalls, apiKeys, idempotentCalls } from '~/db/schema/developers';
import { type Ctx, transact } from '../../runtime/ctx';

/** Call it when an account is deleted: its keys stop, and so does what was kept of their calls. Repeating it is harmless. */
export async function eraseKeys(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  await transact(ctx, async ({ db }) => {
    const own = db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
    await db.delete(idempotentCalls).where(inArray(idempotentCalls.creatorId, own));
    await db.delete(apiCalls).where(inArray(apiCalls.creatorId, own));
    await db.delete(apiKeys).where(or(eq(apiKeys.userId, userId), inArray(apiKeys.creatorId, own)));
  });
  await ctx.sessions.announceEnded();
}
