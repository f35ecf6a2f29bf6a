import { and, asc, eq, inArray, isNull, lt, or } from 'drizzle-orm';
import { transcriptionPieces, transcriptionRuns } from '~/db/schema/transcription';
import { earlier } from '../../base/time';
import { TRANSCRIPTION_LIMITS } from '../../limits/transcription';
import { runTranscription } from '../../queue/jobs/transcription';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { engineAway } from './errors';
import { failRun } from './settle-run';

/**
 * The scheduled job: gives up runs that take too long, continues runs without progress, and deletes what was heard if its
 * creator has not decided about it.
 */
export async function recoverTranscriptions(ctx: Ctx): Promise<void> {
  const { givenUp, recoveredAtOnce } = TRANSCRIPTION_LIMITS;
  const { status, startedAt, id } = transcriptionRuns;
  const overdue = await ctx.db
    .select()
    .from(transcriptionRuns)
    .where(and(eq(status, 'running'), lt(startedAt, earlier(ctx.now(), givenUp))))
    .orderBy(asc(id))
    .limit(recoveredAtOnce);
  for (const run of overdue) await failRun(ctx, run, engineAway());
  await transact(ctx, continueLost);
  await transact(ctx, dropUndecided);
}

async function continueLost(tx: TxCtx): Promise<void> {
  const { id, status, aliveAt } = transcriptionRuns;
  const { lostAfter, recoveredAtOnce } = TRANSCRIPTION_LIMITS;
  const lost = tx.db
    .select({ id })
    .from(transcriptionRuns)
    .where(and(eq(status, 'running'), lt(aliveAt, earlier(tx.now(), lostAfter))))
    .orderBy(asc(aliveAt))
    .limit(recoveredAtOnce);
  const found = await tx.db
    .update(transcriptionRuns)
    .set({ aliveAt: tx.now() })
    .where(inArray(id, lost))
    .returning({ runId: id });
  await tx.jobs.enqueueAll(runTranscription, found);
}

async function dropUndecided(tx: TxCtx): Promise<void> {
  const { id, status, endedAt, episodeId } = transcriptionRuns;
  const isOver = or(lt(endedAt, earlier(tx.now(), TRANSCRIPTION_LIMITS.kept)), isNull(episodeId));
  const undecided = tx.db
    .select({ id })
    .from(transcriptionRuns)
    .where(and(eq(status, 'waiting'), isOver))
    .orderBy(asc(id))
    .limit(TRANSCRIPTION_LIMITS.recoveredAtOnce);
  const dropped = await tx.db
    .update(transcriptionRuns)
    .set({ status: 'done' })
    .where(inArray(id, undecided))
    .returning({ id });
  const ids = dropped.map((run) => run.id);
  if (ids.length > 0) await tx.db.delete(transcriptionPieces).where(inArray(transcriptionPieces.runId, ids));
}
