import { and, eq, isNull } from 'drizzle-orm';
import { clips } from '~/db/schema/insertions';
import { authorize } from '../../policy/authorize';
import { type Ctx, transact } from '../../runtime/ctx';
import { recordActivity } from '../team/activity';
import { clipNotFound } from './errors';
import { type ClipView, toClipView } from './list-clips';
import { findClipRow } from './queries';
import type { RenameClip } from './schema';

/** @throws clip.not_found */
export async function renameClip(ctx: Ctx, { id, name }: RenameClip): Promise<ClipView> {
  const { creatorId } = authorize(ctx, 'clip.manage', await findClipRow(ctx, id));
  return transact(ctx, async (tx) => {
    const [row] = await tx.db
      .update(clips)
      .set({ name, updatedAt: tx.now() })
      .where(and(eq(clips.id, id), isNull(clips.deletedAt)))
      .returning();
    if (!row) throw clipNotFound();
    await recordActivity(tx, { creatorId, action: 'clip.renamed', subjectId: id, params: { name } });
    return toClipView(row);
  });
}
