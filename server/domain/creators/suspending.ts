import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import type { TxCtx } from '../../ctx';
import { CONTACT_PATH } from '../../public-paths';
import { queueAccountEmail } from '../accounts/email-links';
import { publishingStopped } from './errors';

/**
 * From now on the creator publishes nothing more: neither by hand, nor by a schedule or an import. What is published
 * stays for its listeners. @param reason for the email to the owner; null for none
 * @returns whether this call has done it
 */
export async function stopPublishing(tx: TxCtx, creatorId: number, reason: string | null): Promise<boolean> {
  const stopped = await tx.db
    .update(creators)
    .set({ publishingStoppedAt: tx.now(), updatedAt: tx.now() })
    .where(and(eq(creators.id, creatorId), isNull(creators.publishingStoppedAt), isNull(creators.closedAt)))
    .returning({ userId: creators.userId });
  return tell(tx, stopped, reason === null ? null : { topic: 'publishing_stopped', reason });
}

/** Episodes that were put on hold meanwhile stay on hold. @returns whether this call has done it */
export async function allowPublishing(tx: TxCtx, creatorId: number, { isTold }: { isTold: boolean }): Promise<boolean> {
  const allowed = await tx.db
    .update(creators)
    .set({ publishingStoppedAt: null, updatedAt: tx.now() })
    .where(and(eq(creators.id, creatorId), isNotNull(creators.publishingStoppedAt)))
    .returning({ userId: creators.userId });
  return tell(tx, allowed, isTold ? { topic: 'publishing_allowed' } : null);
}

/** @throws creator.publishing_stopped */
export async function requirePublishing(tx: TxCtx, creatorId: number): Promise<void> {
  const isStopped = and(eq(creators.id, creatorId), isNotNull(creators.publishingStoppedAt));
  if ((await tx.db.$count(creators, isStopped)) > 0) throw publishingStopped();
}

type Told = { topic: 'publishing_stopped'; reason: string } | { topic: 'publishing_allowed' };

async function tell(tx: TxCtx, [changed]: { userId: number }[], facts: Told | null): Promise<boolean> {
  if (!changed || !facts) return changed !== undefined;
  const [owner] = await tx.db.select().from(users).where(eq(users.id, changed.userId));
  if (owner) await queueAccountEmail(tx, owner, { ...facts, url: tx.urls.app(CONTACT_PATH) });
  return true;
}
