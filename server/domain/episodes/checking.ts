import { and, eq } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { goLive, removeObjects } from '~/jobs/catalog';
import { type Ctx, transact } from '../../ctx';
import { authorize } from '../../policy/authorize';
import { type AudioVerdict, probeAudio } from '../media/probing';
import { productChanged } from '../products/versions';
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
    const now = ctx.now();
    const releaseAt = episode.releaseAt ?? now;
    const status = verdict.ok ? statusAt(releaseAt, now) : 'failed';
    const settled = await tx.db
      .update(episodes)
      .set({ ...columnsOf(verdict, episode.coverKey), status, ...(verdict.ok && { releaseAt }) })
      .where(and(eq(episodes.id, episodeId), eq(episodes.status, 'in_progress'), eq(episodes.uploadKey, uploadKey)))
      .returning({ id: episodes.id });
    if (settled.length === 0) return;
    if (status === 'scheduled') await tx.jobs.enqueue(goLive, { episodeId }, { at: releaseAt });
    if (verdict.ok && episode.audioKey && episode.audioKey !== verdict.audioKey) {
      await tx.jobs.enqueue(removeObjects, { keys: [episode.audioKey] });
    }
    await productChanged(tx, episode.productId);
  });
}

function columnsOf(verdict: AudioVerdict, coverKey: string | null): Partial<typeof episodes.$inferInsert> {
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
