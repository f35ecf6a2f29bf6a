import { eq } from 'drizzle-orm';
import { insertionPoints } from '~/db/schema/insertions';
import { formatClock } from '../../base/clock';
import { POINT_LIMITS } from '../../limits/insertions';
import { authorize } from '../../policy/authorize';
import { refreshServed } from '../../queue/jobs/insertions';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { alreadyChanged } from '../episodes/errors';
import { findEpisodeRecord, lockEpisodeRow } from '../episodes/queries';
import { requireFeature } from '../plans/features';
import { recordAbout } from '../team/activity';
import { type PlacesView, viewPlaces } from './episode-places';
import { pointOutside, pointsTooClose, soundNotMeasured } from './errors';
import type { SavePoints } from './schema';

/**
 * Replaces the mid-rolls of an episode by the creator's own. @throws episode.not_found, plan.insertions_required,
 * point.not_measured, point.outside, point.too_close, episode.already_changed if the audio was replaced meanwhile
 */
export async function markPoints(ctx: Ctx, { id, points }: SavePoints): Promise<PlacesView> {
  const found = await findEpisodeRecord(ctx, id);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  const { audioKey, durationMs, productId } = episode;
  await requireFeature(ctx, episode.creatorId, 'insertions');
  if (audioKey === null || durationMs === null) throw soundNotMeasured();
  const places = [...points].sort((a, b) => a - b);
  assertPlaces(places, durationMs);
  await transact(ctx, async (tx) => {
    const current = await lockEpisodeRow(tx, id);
    if (current?.audioKey !== audioKey) throw alreadyChanged();
    await tx.db.delete(insertionPoints).where(eq(insertionPoints.episodeId, id));
    await insertPoints(
      tx,
      places.map((atMs) => ({ episodeId: id, atMs, audioKey, origin: 'creator' as const })),
    );
    await recordAbout(tx, 'episode.points_marked', episode);
    await tx.jobs.enqueue(refreshServed, { productId });
  });
  return viewPlaces(ctx, { id });
}

function assertPlaces(places: number[], durationMs: number): void {
  const { edgeMs, apartMs } = POINT_LIMITS;
  const isOutside = places.some((atMs) => atMs < edgeMs || atMs > durationMs - edgeMs);
  if (isOutside) throw pointOutside({ length: formatClock(durationMs / 1000) });
  if (places.some((atMs, i) => i > 0 && atMs - places[i - 1]! < apartMs)) throw pointsTooClose();
}

/** Two runs of a job may find the same places: the index lets one through. */
export async function insertPoints(tx: TxCtx, rows: (typeof insertionPoints.$inferInsert)[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.db
    .insert(insertionPoints)
    .values(rows.map((row) => ({ ...row, createdAt: tx.now() })))
    .onConflictDoNothing();
}
