import { and, eq } from 'drizzle-orm';
import { clipVersions } from '~/db/schema/insertions';
import { type Insertion, type Rendition, splice } from '../../audio/splice';
import { POINT_LIMITS } from '../../limits/insertions';
import { authorize } from '../../policy/authorize';
import { type Ctx, transact } from '../../runtime/ctx';
import { type EpisodeRow, findEpisodeRecord } from '../episodes/queries';
import { type OpenRecording, openRecording } from '../media/recordings';
import { clipNotFound, pointOutside, soundNotMeasured } from './errors';
import { prepareVersion, versionOf } from './prepare-clips';
import { findClipRow } from './queries';
import type { PrepareSound } from './schema';

/** Whether the clip can be heard in the episode; otherwise a job converts it, or could not convert it. */
export type SoundState = { status: 'in_progress' | 'ready' | 'failed'; failureReason: string | null };

/**
 * Converts a clip for an episode, unless it is ready, so that the creator hears it there as listeners will.
 * @throws episode.not_found, clip.not_found, point.not_measured
 */
export async function prepareSound(ctx: Ctx, { id, clipId }: PrepareSound): Promise<SoundState> {
  const { episode } = await findEpisodeRecord(ctx, id);
  authorize(ctx, 'episode.manage', episode);
  const clip = authorize(ctx, 'clip.manage', await findClipRow(ctx, clipId));
  const wanted = versionOf({ ...episode, clipId: clip.id });
  if (!wanted || episode.audioKey === null) throw soundNotMeasured();
  const { status, failureReason } = await transact(ctx, (tx) => prepareVersion(tx, clip.creatorId, wanted));
  return { status, failureReason };
}

/**
 * What to hear: the seconds around a place, with a clip there or without; or those around a passage that is left out.
 * Milliseconds of the episode's file.
 */
export type PreviewedPlace = { episodeId: number; atMs: number; toMs: number | null; clipId: number | null };

/**
 * Some seconds around a place, made by the engine that makes what listeners get, so they sound exactly the same.
 * @throws episode.not_found, clip.not_found if the clip is not ready for the episode, point.outside, point.not_measured
 */
export async function previewPlace(
  ctx: Pick<Ctx, 'db' | 'ports' | 'actor' | 'now'>,
  place: PreviewedPlace,
): Promise<Rendition> {
  const { episode } = await findEpisodeRecord(ctx, place.episodeId);
  const { audioKey, durationMs } = authorize(ctx, 'episode.read', episode);
  if (audioKey === null || durationMs === null) throw soundNotMeasured();
  const toMs = place.toMs ?? place.atMs;
  if (place.atMs < 0 || toMs < place.atMs || toMs > durationMs) throw pointOutside();
  const version = place.clipId === null ? null : await readyVersion(ctx, episode, place.clipId);
  const opened: OpenRecording[] = [];
  const open = async (key: string, keepsIndex: boolean) => {
    const recording = await openRecording(ctx.ports.storage, { key, sha256: key, keepsIndex });
    if (recording) opened.push(recording);
    return recording;
  };
  try {
    const own = await open(audioKey, true);
    const clip = version && (await open(version, false));
    if (!own || (version && !clip)) throw clipNotFound();
    const insertions: Insertion[] = clip ? [{ at: place.atMs, clip }] : [];
    const { previewMs } = POINT_LIMITS;
    const around = [
      { fromMs: 0, toMs: Math.max(0, place.atMs - previewMs) },
      { fromMs: place.atMs, toMs },
      { fromMs: Math.min(durationMs, toMs + previewMs), toMs: durationMs },
    ];
    const omitted = around.filter(({ fromMs, toMs: until }) => until > fromMs);
    const result = await splice(own, insertions, { omitted });
    if (!result.ok) throw pointOutside();
    return result.rendition;
  } finally {
    await Promise.all(opened.map((recording) => recording.close()));
  }
}

/** The file of a clip in the encoding of an episode. @throws clip.not_found */
async function readyVersion(ctx: Pick<Ctx, 'db' | 'actor'>, episode: EpisodeRow, clipId: number): Promise<string> {
  const clip = authorize(ctx, 'clip.read', await findClipRow(ctx, clipId));
  const wanted = versionOf({ ...episode, clipId: clip.id });
  if (!wanted) throw clipNotFound();
  const [row] = await ctx.db
    .select({ key: clipVersions.audioKey })
    .from(clipVersions)
    .where(
      and(
        eq(clipVersions.clipId, clipId),
        eq(clipVersions.encoding, wanted.encoding),
        eq(clipVersions.loudness, wanted.loudness),
        eq(clipVersions.status, 'ready'),
      ),
    );
  if (!row?.key) throw clipNotFound();
  return row.key;
}
