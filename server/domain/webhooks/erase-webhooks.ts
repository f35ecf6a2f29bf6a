import { eq, inArray } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { webhookEndpoints, webhookEvents, webhookMilestones } from '~/db/schema/webhooks';
import { type Ctx, transact } from '../../runtime/ctx';

/** Deletes the endpoints of a deleted account, with everything that waits for them or was sent to them. */
export async function eraseWebhooks(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  await transact(ctx, async (tx) => {
    const own = tx.db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
    await tx.db.delete(webhookEndpoints).where(inArray(webhookEndpoints.creatorId, own));
    await tx.db.delete(webhookEvents).where(inArray(webhookEvents.creatorId, own));
    await tx.db.delete(webhookMilestones).where(inArray(webhookMilestones.creatorId, own));
  });
}
