import { eq } from 'drizzle-orm';
import { soundbites } from '~/db/schema/soundbites';
import { authorize } from '../../policy/authorize';
import { type Ctx, transact } from '../../runtime/ctx';
import { markProductChanged } from '../products/mark-product-changed';
import { recordActivity } from '../team/activity';
import { soundbiteNotFound } from './errors';
import { findSoundbiteRecord } from './queries';
import type { RenameSoundbite } from './schema';

/** @throws soundbite.not_found */
export async function renameSoundbite(ctx: Ctx, { id, title }: RenameSoundbite): Promise<void> {
  const { soundbite, productId, name } = await findSoundbiteRecord(ctx, id);
  const { creatorId, episodeId } = authorize(ctx, 'soundbite.manage', soundbite);
  await transact(ctx, async (tx) => {
    const renamed = await tx.db
      .update(soundbites)
      .set({ title, updatedAt: tx.now() })
      .where(eq(soundbites.id, id))
      .returning({ id: soundbites.id });
    if (renamed.length === 0) throw soundbiteNotFound();
    const about = { creatorId, subjectId: episodeId, params: { name } };
    await recordActivity(tx, { ...about, action: 'episode.soundbite_renamed' });
    await markProductChanged(tx, productId);
  });
}
