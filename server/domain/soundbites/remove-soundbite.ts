import { eq } from 'drizzle-orm';
import { soundbites } from '~/db/schema/soundbites';
import { authorize } from '../../policy/authorize';
import { removeObjects } from '../../queue/jobs/media';
import { type Ctx, transact } from '../../runtime/ctx';
import { markProductChanged } from '../products/mark-product-changed';
import { recordActivity } from '../team/activity';
import { soundbiteNotFound } from './errors';
import { findSoundbiteRecord } from './queries';
import type { FindSoundbite } from './schema';

/** Deletes a soundbite, and by a job its file. @throws soundbite.not_found */
export async function removeSoundbite(ctx: Ctx, { id }: FindSoundbite): Promise<void> {
  const { soundbite, productId, name } = await findSoundbiteRecord(ctx, id);
  const { creatorId, episodeId, audioKey } = authorize(ctx, 'soundbite.manage', soundbite);
  await transact(ctx, async (tx) => {
    const removed = await tx.db.delete(soundbites).where(eq(soundbites.id, id)).returning({ id: soundbites.id });
    if (removed.length === 0) throw soundbiteNotFound();
    await tx.jobs.enqueue(removeObjects, { keys: [audioKey] });
    const about = { creatorId, subjectId: episodeId, params: { name } };
    await recordActivity(tx, { ...about, action: 'episode.soundbite_deleted' });
    await markProductChanged(tx, productId);
  });
}
