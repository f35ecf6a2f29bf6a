import { sql } from 'drizzle-orm';
import { TRANSCRIPT_SEARCH_LIMITS } from '../../limits/transcripts';
import type { Ctx } from '../../runtime/ctx';

type Needs = Pick<Ctx, 'db' | 'log'>;

/**
 * Lets people find the words of transcripts that have changed, one after the other, the oldest change first. Two that
 * run at the same time take different ones; one that is killed leaves its transcript for the next run, and one that
 * fails waits for it behind the others.
 * @returns how many transcripts were taken
 */
export async function indexTranscripts(ctx: Needs): Promise<number> {
  const [run] = await ctx.db.execute<{ began: string }>(sql`select now()::text as began`);
  for (let count = 0; count < TRANSCRIPT_SEARCH_LIMITS.perRun; count++) {
    if (!(await indexNext(ctx, run!.began))) return count;
  }
  return TRANSCRIPT_SEARCH_LIMITS.perRun;
}

/** One transaction for each: a transcript has hundreds of pieces. */
async function indexNext({ db, log }: Needs, began: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [next] = await tx.execute<{ id: string }>(sql`
      select episode_id as id from unsearched_transcripts where changed_at <= ${began}::timestamptz
      order by changed_at, episode_id limit 1 for update skip locked`);
    if (!next) return false;
    const index = sql`select index_transcript_for_search(${next.id}::bigint)`;
    const failure = await tx
      .transaction((part) => part.execute(index))
      .then(
        () => null,
        (error: Error) => error,
      );
    if (failure) log.error({ err: failure, episodeId: next.id }, 'the words of a transcript cannot be found');
    await tx.execute(
      failure
        ? sql`update unsearched_transcripts set changed_at = clock_timestamp() where episode_id = ${next.id}::bigint`
        : sql`delete from unsearched_transcripts where episode_id = ${next.id}::bigint`,
    );
    return true;
  });
}
