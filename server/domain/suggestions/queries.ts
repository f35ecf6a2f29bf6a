import { desc, eq } from 'drizzle-orm';
import { suggestionRuns } from '~/db/schema/suggestions';
import type { Ctx } from '../../runtime/ctx';

export type RunRow = typeof suggestionRuns.$inferSelect;

/** The last run of an episode; null if there was none. */
export async function lookupLastRun({ db }: Pick<Ctx, 'db'>, episodeId: number): Promise<RunRow | null> {
  const [run] = await db
    .select()
    .from(suggestionRuns)
    .where(eq(suggestionRuns.episodeId, episodeId))
    .orderBy(desc(suggestionRuns.id))
    .limit(1);
  return run ?? null;
}
