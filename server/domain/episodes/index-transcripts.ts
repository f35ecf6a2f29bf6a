import { sql } from 'drizzle-orm';
import { TRANSCRIPT_SEARCH_LIMITS } from '../../limits/transcripts';
import type { Ctx } from '../../runtime/ctx';

/**
 * Lets people find the words of transcripts that have changed, one after the other, the oldest change first. Two that
 * run at the same time take different ones; one that is killed leaves its transcript for the next run.
 * @returns how many transcripts were read
 */
export async function indexTranscripts(ctx: Pick<Ctx, 'db'>): Promise<number> {
  for (let count = 0; count < TRANSCRIPT_SEARCH_LIMITS.perRun; count++) {
    if (!(await indexNext(ctx))) return count;
  }
  return TRANSCRIPT_SEARCH_LIMITS.perRun;
}

/** One transaction for each: a transcript has hundreds of pieces. */
async function indexNext({ db }: Pick<Ctx, 'db'>): Promise<boolean> {
  return db.transaction(async (tx) => {
    const taken = await tx.execute<{ id: string }>(sql`
      delete from unsearched_transcripts where episode_id = (
        select episode_id from unsearched_transcripts order by changed_at, episode_id limit 1 for update skip locked
      ) returning episode_id as id`);
    if (taken.length === 0) return false;
    await tx.execute(sql`select index_transcript_for_search(${taken[0]!.id}::bigint)`);
    return true;
  });
}
