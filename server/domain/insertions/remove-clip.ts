import { and, asc, eq, exists, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { campaignClips, clips, clipVersions, insertionCampaigns, replacedPassages } from '~/db/schema/insertions';
import { earlier } from '../../base/time';
import { CLIP_LIMITS } from '../../limits/insertions';
import { authorize } from '../../policy/authorize';
import { whereKept } from '../../policy/visibility';
import { removeObjects } from '../../queue/jobs/media';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { recordActivity } from '../team/activity';
import { clipInCampaign, clipInPassage, clipNotFound } from './errors';
import { findClipRow, whereNotEnded } from './queries';
import type { FindClip } from './schema';

/**
 * Deletes a clip from the list. Its files stay for two days, because somebody may be listening to them.
 * @throws clip.not_found; clip.used_by_campaign while a campaign that has not ended uses it; clip.used_by_passage
 */
export async function removeClip(ctx: Ctx, { id }: FindClip): Promise<void> {
  const { creatorId, name } = authorize(ctx, 'clip.manage', await findClipRow(ctx, id));
  await transact(ctx, async (tx) => {
    // campaigns and passages lock the clips that they begin to use (list-clips.ts)
    const [locked] = await tx.db
      .select({ id: clips.id })
      .from(clips)
      .where(and(eq(clips.id, id), isNull(clips.deletedAt)))
      .for('update');
    if (!locked) throw clipNotFound();
    await assertUnused(tx, id);
    await tx.db.update(clips).set({ deletedAt: tx.now() }).where(eq(clips.id, id));
    await recordActivity(tx, { creatorId, action: 'clip.deleted', subjectId: id, params: { name } });
  });
}

async function assertUnused(tx: TxCtx, clipId: number): Promise<void> {
  const [campaign] = await tx.db
    .select({ name: insertionCampaigns.name })
    .from(campaignClips)
    .innerJoin(insertionCampaigns, eq(insertionCampaigns.id, campaignClips.campaignId))
    .innerJoin(creators, eq(creators.id, insertionCampaigns.creatorId))
    .where(and(eq(campaignClips.clipId, clipId), whereNotEnded(tx.now())))
    .orderBy(asc(insertionCampaigns.id))
    .limit(1);
  if (campaign) throw clipInCampaign(campaign);
  const [episode] = await tx.db
    .select({ name: episodes.name })
    .from(replacedPassages)
    .innerJoin(episodes, eq(episodes.id, replacedPassages.episodeId))
    .where(and(eq(replacedPassages.clipId, clipId), whereKept()))
    .orderBy(asc(replacedPassages.id))
    .limit(1);
  if (episode) throw clipInPassage(episode);
}

/**
 * Deletes the files of clips that were deleted two days ago, and the rows of those that no ended campaign used. The
 * others keep their names for its report.
 */
export async function sweepDeletedClips(ctx: Ctx): Promise<void> {
  const { keptAfterDeletion, sweptAtOnce } = CLIP_LIMITS;
  await transact(ctx, async (tx) => {
    const due = await tx.db
      .select({ id: clips.id, key: clips.audioKey })
      .from(clips)
      .where(and(lt(clips.deletedAt, earlier(tx.now(), keptAfterDeletion)), isNotNull(clips.audioKey)))
      .orderBy(asc(clips.deletedAt))
      .limit(sweptAtOnce)
      .for('update', { skipLocked: true });
    const ids = due.map(({ id }) => id);
    if (ids.length === 0) return;
    const versions = await tx.db
      .delete(clipVersions)
      .where(inArray(clipVersions.clipId, ids))
      .returning({ key: clipVersions.audioKey });
    const keys = [...due, ...versions].flatMap(({ key }) => key ?? []);
    await tx.db.update(clips).set({ audioKey: null }).where(inArray(clips.id, ids));
    const isUsed = or(
      exists(sql`(select from ${campaignClips} where ${campaignClips.clipId} = ${clips.id})`),
      exists(sql`(select from ${replacedPassages} where ${replacedPassages.clipId} = ${clips.id})`),
    );
    await tx.db.delete(clips).where(and(inArray(clips.id, ids), sql`not (${isUsed})`));
    for (let at = 0; at < keys.length; at += 100)
      await tx.jobs.enqueue(removeObjects, { keys: keys.slice(at, at + 100) });
  });
}
