import { authorize } from '../../policy/authorize';
import { refreshServed } from '../../queue/jobs/insertions';
import { type Ctx, transact } from '../../runtime/ctx';
import { lookupEpisodeRow } from '../episodes/queries';
import { storeIndex } from '../media/recordings';
import { findPlaces, writePlaces } from './apply-template';
import { prepareClips } from './prepare-clips';

/**
 * The job after an episode's sound was measured: indexes its file, marks the places of the show's template, and converts
 * the clips that play in it. Safe to repeat.
 */
export async function prepareEpisode(ctx: Ctx, episodeId: number): Promise<void> {
  const row = await lookupEpisodeRow(ctx, episodeId);
  if (!row) return;
  const { productId } = authorize(ctx, 'episode.manage', row);
  if (row.audioKey !== null) await storeIndex(ctx.ports.storage, row.audioKey);
  const marked = await findPlaces(ctx, { productId, ids: [episodeId] });
  await transact(ctx, async (tx) => {
    await writePlaces(tx, marked);
    await prepareClips(tx, { episodeId });
    await tx.jobs.enqueue(refreshServed, { productId });
  });
}
