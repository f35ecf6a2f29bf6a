import { createHash } from 'node:crypto';
import { and, asc, eq, lt } from 'drizzle-orm';
import { union } from 'drizzle-orm/pg-core';
import { episodes } from '~/db/schema/episodes';
import { campaignClips, clips, clipVersions, insertionCampaigns, replacedPassages } from '~/db/schema/insertions';
import { bufferSource } from '../../audio/bytes';
import { checkMp3 } from '../../audio/check-mp3';
import { earlier } from '../../base/time';
import { CLIP_LIMITS } from '../../limits/insertions';
import { authorize } from '../../policy/authorize';
import { convertClip as convertClipJob, refreshServed } from '../../queue/jobs/insertions';
import { removeObjects } from '../../queue/jobs/media';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { clipFolder } from './clip-files';
import { enqueueConversions, enqueueStalled } from './enqueue-conversions';
import { conversionFailed } from './errors';
import { targetOf } from './rules';

type Found = { clip: typeof clips.$inferSelect; version: typeof clipVersions.$inferSelect };

/**
 * The job that converts a clip for one encoding and loudness. Repeating it is harmless: the file's key depends on its
 * bytes, and a version that is ready never changes. @throws if the audio thread hangs, so that the job is retried
 */
export async function convertClip(ctx: Ctx, versionId: number): Promise<void> {
  const [found] = await ctx.db
    .select({ clip: clips, version: clipVersions })
    .from(clipVersions)
    .innerJoin(clips, eq(clips.id, clipVersions.clipId))
    .where(and(eq(clipVersions.id, versionId), eq(clipVersions.status, 'in_progress')));
  if (!found) return;
  authorize(ctx, 'clip.manage', found.clip);
  const result = await convert(ctx, found);
  await ctx.reach('clip.converted');
  await transact(ctx, async (tx) => {
    const settled = await tx.db
      .update(clipVersions)
      .set(result)
      .where(and(eq(clipVersions.id, versionId), eq(clipVersions.status, 'in_progress')))
      .returning({ id: clipVersions.id });
    // the clip was deleted for good meanwhile, with its versions
    const isGone = settled.length === 0 && (await tx.db.$count(clipVersions, eq(clipVersions.id, versionId))) === 0;
    if (isGone && result.status === 'ready') await tx.jobs.enqueue(removeObjects, { keys: [result.audioKey] });
    if (settled.length > 0) await tx.jobs.enqueueAll(refreshServed, await showsWithClip(tx, found.clip.id));
    await enqueueConversions(tx, found.clip.creatorId);
  });
}

/** The shows that have a campaign or a replaced passage with a clip. */
async function showsWithClip(tx: TxCtx, clipId: number): Promise<{ productId: number }[]> {
  const ofCampaigns = tx.db
    .select({ productId: insertionCampaigns.productId })
    .from(campaignClips)
    .innerJoin(insertionCampaigns, eq(insertionCampaigns.id, campaignClips.campaignId))
    .where(eq(campaignClips.clipId, clipId));
  const ofPassages = tx.db
    .select({ productId: episodes.productId })
    .from(replacedPassages)
    .innerJoin(episodes, eq(episodes.id, replacedPassages.episodeId))
    .where(eq(replacedPassages.clipId, clipId));
  return union(ofCampaigns, ofPassages);
}

async function convert(ctx: Ctx, { clip, version }: Found) {
  const failed = (reason: string) => ({ status: 'failed' as const, failureReason: `audio.${reason}` });
  const file = clip.audioKey === null ? null : await ctx.ports.storage.open(clip.audioKey);
  if (!file) return failed('missing');
  try {
    const converted = await ctx.ports.conformClip({ size: file.bytes, read: file.readInto }, targetOf(version));
    if (!converted.ok) {
      ctx.log.info({ clipId: clip.id, encoding: version.encoding, ...converted }, 'clip not converted');
      return failed(converted.reason);
    }
    const mp3 = Buffer.from(converted.mp3);
    const found = await checkMp3(bufferSource(mp3));
    const durationMs = found.ok ? found.durationMs : (clip.durationMs ?? 0);
    const audioSha256 = createHash('sha256').update(mp3).digest('hex');
    const audioKey = `${clipFolder(clip.creatorId)}${clip.id}/${audioSha256}-${version.id}.mp3`;
    await ctx.ports.storage.put(audioKey, mp3, { contentType: 'audio/mpeg' });
    return { status: 'ready' as const, audioKey, audioSha256, audioBytes: mp3.length, durationMs };
  } finally {
    await file.close();
  }
}

/** Enqueues conversions again whose job was lost, and gives those up that have not finished for a day since. */
export async function recoverConversions(ctx: Ctx): Promise<void> {
  const { overdue, givenUp, recoveredAtOnce } = CLIP_LIMITS;
  const isWaiting = eq(clipVersions.status, 'in_progress');
  await transact(ctx, async (tx) => {
    await tx.db
      .update(clipVersions)
      .set({ status: 'failed', failureReason: conversionFailed().code })
      .where(and(isWaiting, lt(clipVersions.enqueuedAt, earlier(tx.now(), givenUp))));
    const lost = await tx.db
      .select({ versionId: clipVersions.id })
      .from(clipVersions)
      .where(and(isWaiting, lt(clipVersions.enqueuedAt, earlier(tx.now(), overdue))))
      .orderBy(asc(clipVersions.id))
      .limit(recoveredAtOnce);
    await tx.jobs.enqueueAll(convertClipJob, lost);
    await enqueueStalled(tx);
  });
}
