import { and, eq, isNull, ne, or } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { subscriptions } from '~/db/schema/billing';
import { authorize } from '../../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { endAccess } from '../../access/grant-access';
import { queueAccountEmail } from '../../accounts/base/email-links';
import { findUser } from '../../accounts/base/queries';
import { findProductRecord, type ProductRow } from '../../products/queries';
import { recordActivity } from '../../team/activity';
import { buyerNotFound } from '../base/errors';
import type { FindBuyer } from '../base/schema';
import { queueEnds } from '../subscriptions/end-subscriptions';
import { lookupBuyer } from './buyer-list';

/**
 * Ends a person's access to a show now, from all sources, and their subscription at the payment provider, by a job that
 * is repeated until it succeeds. It refunds nothing. Repeating it changes nothing.
 * @throws product.not_found, buyer.not_found
 */
export async function removeBuyer(ctx: Ctx, { id, kind, userId }: FindBuyer): Promise<void> {
  const { product } = await findProductRecord(ctx, id, kind);
  const show = authorize(ctx, 'product.manageBuyers', product);
  if (!(await lookupBuyer(ctx, show, userId))) throw buyerNotFound();
  await transact(ctx, (tx) => endPurchases(tx, show, userId));
}

async function endPurchases(tx: TxCtx, show: ProductRow, userId: number): Promise<void> {
  const running = and(
    eq(subscriptions.userId, userId),
    eq(subscriptions.productId, show.id),
    eq(subscriptions.purpose, 'show'),
    isNull(subscriptions.endedAt),
  );
  const isUntold = or(isNull(subscriptions.endReason), ne(subscriptions.endReason, 'creator'));
  const untold = await tx.db.$count(subscriptions, and(running, isUntold));
  // also ends marked subscriptions: their job may have run out of attempts
  await queueEnds(tx, running, { reason: 'creator', when: 'now' });
  const ended = await endAllAccess(tx, show.id, userId);
  if (untold === 0 && !ended) return;
  const { creatorId, name } = show;
  await recordActivity(tx, { creatorId, action: 'buyer.removed', subjectId: userId, params: { name } });
  const url = tx.urls.app('/feed');
  await queueAccountEmail(tx, await findUser(tx, userId), { topic: 'access_removed', url, show: name });
}

/** @returns whether the person had access */
async function endAllAccess(tx: TxCtx, productId: number, userId: number): Promise<boolean> {
  const held = await tx.db
    .select({ source: grants.source, endsAt: grants.endsAt })
    .from(grants)
    .where(and(eq(grants.productId, productId), eq(grants.userId, userId)))
    .for('update');
  const live = held.filter(({ endsAt }) => endsAt === null || endsAt > tx.now());
  for (const { source } of live) await endAccess(tx, { userId, productId, source });
  return live.length > 0;
}
