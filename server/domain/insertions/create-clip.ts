import { and, eq, sql } from 'drizzle-orm';
import { clips } from '~/db/schema/insertions';
import type { ClipOrigin } from '~/db/values/insertions';
import { CLIP_LIMITS } from '../../limits/insertions';
import { requireCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { findEpisodeRecord } from '../episodes/queries';
import { consumeUpload, findUsableUpload } from '../media/uploads';
import { requireFeature } from '../plans/features';
import { recordActivity } from '../team/activity';
import { type ClipFile, storeClip, storeCutClip } from './clip-files';
import { clipLimitReached, clipNeedsAudio } from './errors';
import { foreseeConversions } from './foresee-conversions';
import { type ClipView, toClipView } from './list-clips';
import { isOwnClip } from './queries';
import type { CreateClip, CutClip } from './schema';

/**
 * Adds an uploaded or recorded clip. @throws plan.insertions_required, clip.limit_reached, clip.too_long, upload.*,
 * audio.*
 */
export async function createClip(ctx: Ctx, { name, clipKey, isRecorded }: CreateClip): Promise<ClipView> {
  const { creatorId } = authorize(ctx, 'clip.manage', requireCreator(ctx));
  await requireFeature(ctx, creatorId, 'insertions');
  const upload = await findUsableUpload(ctx, { key: clipKey, purpose: 'insertion_audio' });
  await assertRoom(ctx, creatorId);
  const file = await storeClip(ctx, upload, creatorId);
  const origin = isRecorded ? 'recording' : 'upload';
  await ctx.reach('clip.stored');
  return transact(ctx, async (tx) => {
    await consumeUpload(tx, upload);
    return insertClip(tx, { creatorId, name, origin, uploadKey: clipKey, file });
  });
}

/**
 * Adds a passage of an episode as a clip. @throws episode.not_found, plan.insertions_required, clip.limit_reached,
 * clip.needs_audio, clip.outside
 */
export async function cutClip(ctx: Ctx, { name, episodeId, startMs, endMs }: CutClip): Promise<ClipView> {
  const { episode } = await findEpisodeRecord(ctx, episodeId);
  const { creatorId, audioKey } = authorize(ctx, 'episode.manage', episode);
  await requireFeature(ctx, creatorId, 'insertions');
  if (audioKey === null) throw clipNeedsAudio();
  await assertRoom(ctx, creatorId);
  const file = await storeCutClip(ctx, { audioKey, startMs, endMs }, creatorId);
  return transact(ctx, (tx) => insertClip(tx, { creatorId, name, origin: 'cut', uploadKey: null, file }));
}

/** @throws clip.limit_reached */
async function assertRoom({ db }: Pick<Ctx, 'db'>, creatorId: number): Promise<void> {
  const { perCreator: limit } = CLIP_LIMITS;
  const total = await db.$count(clips, and(eq(clips.creatorId, creatorId), isOwnClip()));
  if (total >= limit) throw clipLimitReached({ count: limit });
}

type NewClip = { creatorId: number; name: string; origin: ClipOrigin; uploadKey: string | null; file: ClipFile };

async function insertClip(tx: TxCtx, { creatorId, file, ...clip }: NewClip): Promise<ClipView> {
  // of two clips at once, the second counts the first
  await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`clips ${creatorId}`}, 0))`);
  await assertRoom(tx, creatorId);
  const times = { createdAt: tx.now(), updatedAt: tx.now() };
  const [row] = await tx.db
    .insert(clips)
    .values({ creatorId, ...clip, ...file, ...times, status: 'ready' })
    .returning();
  await foreseeConversions(tx, row!);
  await recordActivity(tx, { creatorId, action: 'clip.added', subjectId: row!.id, params: { name: row!.name } });
  return toClipView(row!);
}
