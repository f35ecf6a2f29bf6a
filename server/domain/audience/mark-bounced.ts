import { and, eq, inArray } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import type { InactiveState } from '~/db/values/contacts';
import { type Ctx, transact } from '../../runtime/ctx';
import { suppressInactive } from './suppressions';

/**
 * Ends the emails to contacts whose address does not exist, or who have marked an email as spam. Contacts that are
 * inactive already keep their state. Their addresses stay suppressed, also after they were deleted.
 */
export async function markBounced(
  ctx: Ctx,
  contactIds: number[],
  reason: Extract<InactiveState, 'bounced' | 'complained'> = 'bounced',
): Promise<void> {
  if (contactIds.length === 0) return;
  await transact(ctx, async (tx) => {
    const now = tx.now();
    const statusReason = reason === 'bounced' ? 'bounce' : 'complaint';
    const those = inArray(contacts.id, contactIds);
    // two workers lock in the same order
    await tx.db.select({ id: contacts.id }).from(contacts).where(those).orderBy(contacts.id).for('update');
    await tx.db
      .update(contacts)
      .set({ status: 'inactive', inactiveAs: reason, statusReason, statusAt: now, updatedAt: now })
      .where(and(those, eq(contacts.status, 'active')));
    await suppressInactive(tx, those);
  });
}
