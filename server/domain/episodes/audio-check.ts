import { and, eq, lt, type SQL } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { checkAudio, goLive, removeObjects } from '~/jobs/catalog';
import { type Ctx, type TxCtx, transact } from '../../ctx';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { authorize } from '../../policy/authorize';
import { earlier } from '../../time';
import { type ProbeResult, probeAudio } from '../media/probing';
import { markProductChanged } from '../products/versions';
import { findEpisodeRow } from './queries';
import { statusAt } from './rules';

/**
 * The job behind an upload: reads the file that an episode was made with, and settles the episode's status.
 * Safe to run again: an episode that is not `in_progress` any more, or has another file by now, is left alone.
 */
export async function settleAudio(ctx: Ctx, episodeId: number): Promise<void> {
  const found = await findEpisodeRow(ctx, episodeId);
  const episode = authorize(ctx, 'episode.manage', found);
  if (episode.status !== 'in_progress') return;

  const { uploadKey, creatorId } = episode;
  const verdict = await probeAudio(ctx, { uploadKey, creatorId, episodeId });

  await transact(ctx, async (tx) => {
    const now = tx.now();
    // reading the file took a while: the time, the cover or the hold may have been changed since
    const [current] = await tx.db.select().from(episodes).where(eq(episodes.id, episodeId)).for('update');
    if (!current) return;
    const releaseAt = current.releaseAt ?? now;
    const status = verdict.ok ? (current.heldAt ? 'on_hold' : statusAt(releaseAt, now)) : 'failed';
    const settled = await tx.db
      .update(episodes)
      .set({ ...columnsOf(verdict, current.coverKey), status, updatedAt: now, ...(verdict.ok && { releaseAt }) })
      .where(and(eq(episodes.id, episodeId), eq(episodes.status, 'in_progress'), eq(episodes.uploadKey, uploadKey)))
      .returning({ id: episodes.id });
    if (settled.length === 0) return removeOrphan(tx, verdict, current.audioKey);
    if (status === 'scheduled') await tx.jobs.enqueue(goLive, { episodeId }, { at: releaseAt });
    if (verdict.ok && episode.audioKey && episode.audioKey !== verdict.audioKey) {
      await tx.jobs.enqueue(removeObjects, { keys: [episode.audioKey] });
    }
    await markProductChanged(tx, episode.productId);
  });
}

function columnsOf(verdict: ProbeResult, coverKey: string | null): Partial<typeof episodes.$inferInsert> {
  if (!verdict.ok) return { failureReason: verdict.reason };
  return {
    failureReason: null,
    audioKey: verdict.audioKey,
    audioBytes: verdict.bytes,
    audioSha256: verdict.sha256,
    durationMs: verdict.durationMs,
    bitrate: verdict.bitrate,
    sampleRate: verdict.sampleRate,
    channels: verdict.channels,
    headBytes: verdict.headBytes,
    audioWarnings: verdict.warnings,
    // a cover inside the file serves where the creator gave none
    coverKey: coverKey ?? verdict.coverKey,
  };
}

/** Another file was given meanwhile: what this one became is named by no row. */
async function removeOrphan(tx: TxCtx, verdict: ProbeResult, namedKey: string | null): Promise<void> {
  if (verdict.ok && verdict.audioKey !== namedKey) await tx.jobs.enqueue(removeObjects, { keys: [verdict.audioKey] });
}

/**
 * What jobs that ran out of tries left behind: checks and releases that are overdue are asked for again, and a check
 * that has failed for a day is given up with a reason.
 */
export async function recoverEpisodes(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  const { checkOverdue, checkGivenUp, releaseOverdue, recoveredAtOnce } = EPISODE_LIMITS;
  await transact(ctx, async (tx) => {
    const lost = await tx.db
      .update(episodes)
      .set({ status: 'failed', failureReason: 'audio.check_failed', updatedAt: now })
      .where(and(eq(episodes.status, 'in_progress'), lt(episodes.updatedAt, earlier(now, checkGivenUp))))
      .returning({ productId: episodes.productId });
    for (const productId of new Set(lost.map((row) => row.productId))) await markProductChanged(tx, productId);
    const unread = and(eq(episodes.status, 'in_progress'), lt(episodes.updatedAt, earlier(now, checkOverdue)));
    const unreleased = and(eq(episodes.status, 'scheduled'), lt(episodes.releaseAt, earlier(now, releaseOverdue)));
    const find = (where: SQL | undefined) =>
      tx.db.select({ episodeId: episodes.id }).from(episodes).where(where).orderBy(episodes.id).limit(recoveredAtOnce);
    for (const row of await find(unread)) await tx.jobs.enqueue(checkAudio, row);
    for (const row of await find(unreleased)) await tx.jobs.enqueue(goLive, row);
  });
}
