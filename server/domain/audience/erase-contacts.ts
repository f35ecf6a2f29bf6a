import { and, eq, inArray, isNotNull, lt, or } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { contacts } from '~/db/schema/audience';
import { creators } from '~/db/schema/creators';
import { earlier } from '../../base/time';
import { NEWSLETTER_LIMITS } from '../../limits/audience';
import type { Ctx } from '../../runtime/ctx';

/**
 * Deletes a creator's contacts, and removes the person's own verified address from the lists of other creators.
 * Repeating it is harmless.
 */
export async function eraseContacts({ db }: Ctx, { userId }: { userId: number }): Promise<void> {
  const own = db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
  const address = db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.emailVerifiedAt)));
  await db.delete(contacts).where(or(inArray(contacts.creatorId, own), inArray(contacts.email, address)));
}

/** Deletes addresses whose owners have not confirmed in time: other people may have typed them. */
export async function sweepPending({ db, now }: Ctx): Promise<void> {
  const expired = lt(contacts.updatedAt, earlier(now(), NEWSLETTER_LIMITS.linkLifetime));
  await db.delete(contacts).where(and(eq(contacts.status, 'pending'), expired));
}
