import { eq, inArray } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { textTimings, transcriptionRuns } from '~/db/schema/transcription';
import type { Ctx } from '../../runtime/ctx';

/** Deletes the runs and the texts of a user whose account is deleted, with what was heard. Repeating it is harmless. */
export async function eraseTranscriptions(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const own = ctx.db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
  await ctx.db.delete(textTimings).where(inArray(textTimings.creatorId, own));
  await ctx.db.delete(transcriptionRuns).where(inArray(transcriptionRuns.creatorId, own));
}
