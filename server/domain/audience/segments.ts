import { and, eq } from 'drizzle-orm';
import { contactSegments } from '~/db/schema/audience';
import { CONTACT_LIMITS } from '../../limits/audience';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, transact, violates } from '../../runtime/ctx';
import { lockCreator } from '../creators/queries';
import { recordActivity } from '../team/activity';
import { isAboutBuyers } from './contact-filter';
import { segmentExists, segmentNotFound, tooManySegments } from './errors';
import type { FindContact, RenameSegment, SaveSegment } from './schema';

/** Names a filter of the list. @throws audience.segment_exists, audience.too_many_segments, common.role_not_allowed */
export async function saveSegment(ctx: Ctx, { name, filter }: SaveSegment): Promise<{ id: number }> {
  const { id: creatorId } = authorize(ctx, 'creator.manageContacts', currentCreator(ctx));
  if (isAboutBuyers(filter)) authorize(ctx, 'product.readBuyers', { creatorId });
  return transact(ctx, async (tx) => {
    // of two concurrent segments, the second one counts the first
    await lockCreator(tx, creatorId);
    const { segments } = CONTACT_LIMITS;
    if ((await tx.db.$count(contactSegments, eq(contactSegments.creatorId, creatorId))) >= segments)
      throw tooManySegments({ count: segments });
    const now = tx.now();
    const [row] = await tx.db
      .insert(contactSegments)
      .values({ creatorId, name, filter, createdAt: now, updatedAt: now })
      .onConflictDoNothing()
      .returning({ id: contactSegments.id });
    if (!row) throw segmentExists();
    await recordActivity(tx, { creatorId, action: 'segment.saved', subjectId: row.id, params: { name } });
    return row;
  });
}

/** @throws audience.segment_not_found, audience.segment_exists, common.role_not_allowed */
export async function renameSegment(ctx: Ctx, { id, name }: RenameSegment): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageContacts', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    const [row] = await tx.db
      .update(contactSegments)
      .set({ name, updatedAt: tx.now() })
      .where(and(eq(contactSegments.creatorId, creatorId), eq(contactSegments.id, id)))
      .returning({ id: contactSegments.id });
    if (!row) throw segmentNotFound();
    await recordActivity(tx, { creatorId, action: 'segment.saved', subjectId: id, params: { name } });
  }).catch((error) => {
    throw violates(error, 'contact_segments_once') ? segmentExists() : error;
  });
}

/** @throws audience.segment_not_found, common.role_not_allowed */
export async function deleteSegment(ctx: Ctx, { id }: FindContact): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageContacts', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    const [row] = await tx.db
      .delete(contactSegments)
      .where(and(eq(contactSegments.creatorId, creatorId), eq(contactSegments.id, id)))
      .returning({ name: contactSegments.name });
    if (!row) throw segmentNotFound();
    await recordActivity(tx, { creatorId, action: 'segment.deleted', subjectId: id, params: { name: row.name } });
  });
}
