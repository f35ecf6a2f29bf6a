import { and, eq, isNull } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { keepFollower } from '../../../queue/jobs/audience';
import { claimSavedCards } from '../../../queue/jobs/billing';
import { releaseKept } from '../../../queue/jobs/episodes';
import type { TxCtx } from '../../../runtime/ctx';

/**
 * Call it after the user has opened a link or entered a code that was sent to their address. An earlier time stays. The
 * episodes that waited for it are published by a job, and others claim cards that were
 * saved with the address, and add the user to the contacts of the shows they follow.
 */
export async function markEmailVerified(tx: TxCtx, userId: number): Promise<void> {
  const unverified = and(eq(users.id, userId), isNull(users.emailVerifiedAt));
  const verified = await tx.db
    .update(users)
    .set({ emailVerifiedAt: tx.now() })
    .where(unverified)
    .returning({ id: users.id });
  if (verified.length > 0) await enqueueVerified(tx, userId);
}

/** Enqueues what waits for a verified address. Call it in every transaction that stores one. */
export async function enqueueVerified(tx: TxCtx, userId: number, { isFirst = true } = {}): Promise<void> {
  await tx.jobs.enqueue(releaseKept, { userId });
  await tx.jobs.enqueue(claimSavedCards, { userId });
  // once: later, a creator may have deleted the contact
  if (isFirst) await tx.jobs.enqueue(keepFollower, { userId });
}
