import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { CONTACT_PATH } from '../../base/public-paths';
import { reviewRecommendations } from '../../queue/jobs/recommendations';
import type { TxCtx } from '../../runtime/ctx';
import { queueAccountEmail } from '../accounts/base/email-links';
import { publishingStopped } from './errors';

/**
 * Stops the creator from publishing by hand, by schedule and by import. Published episodes stay available.
 * @param reason for the email to the owner
 * @returns whether this call has stopped it
 */
export async function stopPublishing(tx: TxCtx, creatorId: number, reason: string): Promise<boolean> {
  const stopped = await tx.db
    .update(creators)
    .set({ publishingStoppedAt: tx.now(), updatedAt: tx.now() })
    .where(and(eq(creators.id, creatorId), isNull(creators.publishingStoppedAt), isNull(creators.closedAt)))
    .returning({ userId: creators.userId });
  if (stopped.length > 0) await tx.jobs.enqueue(reviewRecommendations, { creatorId });
  return tellOwner(tx, stopped, { topic: 'publishing_stopped', reason });
}

/** Episodes that were put on hold meanwhile stay on hold. @returns whether this call has allowed it */
export async function allowPublishing(tx: TxCtx, creatorId: number): Promise<boolean> {
  const allowed = await tx.db
    .update(creators)
    .set({ publishingStoppedAt: null, updatedAt: tx.now() })
    .where(and(eq(creators.id, creatorId), isNotNull(creators.publishingStoppedAt)))
    .returning({ userId: creators.userId });
  return tellOwner(tx, allowed, { topic: 'publishing_allowed' });
}

/** Marks that everything of the creator was taken down. @returns whether this call has marked it */
export async function markTakenDown(tx: TxCtx, creatorId: number): Promise<boolean> {
  const at = tx.now();
  const publishingStoppedAt = sql`coalesce(${creators.publishingStoppedAt}, ${at.toISOString()}::timestamptz)`;
  const marked = await tx.db
    .update(creators)
    .set({ takenDownAt: at, publishingStoppedAt, updatedAt: at })
    .where(and(eq(creators.id, creatorId), isNull(creators.takenDownAt), isNull(creators.closedAt)))
    .returning({ id: creators.id });
  if (marked.length > 0) await tx.jobs.enqueue(reviewRecommendations, { creatorId });
  return marked.length > 0;
}

/** Publishing that was stopped for another reason stays stopped. @returns whether this call has cleared the mark */
export async function clearTakenDown(tx: TxCtx, creatorId: number): Promise<boolean> {
  const isOneStop = sql`${creators.publishingStoppedAt} = ${creators.takenDownAt}`;
  const cleared = await tx.db
    .update(creators)
    .set({
      takenDownAt: null,
      publishingStoppedAt: sql`case when ${isOneStop} then null else ${creators.publishingStoppedAt} end`,
      updatedAt: tx.now(),
    })
    .where(and(eq(creators.id, creatorId), isNotNull(creators.takenDownAt)))
    .returning({ id: creators.id });
  return cleared.length > 0;
}

/** @throws creator.publishing_stopped */
export async function requirePublishing(tx: TxCtx, creatorId: number): Promise<void> {
  const isStopped = and(eq(creators.id, creatorId), isNotNull(creators.publishingStoppedAt));
  if ((await tx.db.$count(creators, isStopped)) > 0) throw publishingStopped();
}

type PublishingNews = { topic: 'publishing_stopped'; reason: string } | { topic: 'publishing_allowed' };

async function tellOwner(tx: TxCtx, [changed]: { userId: number }[], facts: PublishingNews): Promise<boolean> {
  if (!changed) return false;
  const [owner] = await tx.db.select().from(users).where(eq(users.id, changed.userId));
  if (owner) await queueAccountEmail(tx, owner, { ...facts, url: tx.urls.app(CONTACT_PATH) });
  return true;
}
