import { asc, eq, isNull } from 'drizzle-orm';
import { disputes, sales } from '~/db/schema/billing';
import { creators } from '~/db/schema/creators';
import { RECONCILIATION_LIMITS } from '../../../limits/reconciliation';
import { type Ctx, transact } from '../../../runtime/ctx';
import { type Operator, recordOperation } from '../../operators/record-operation';
import { onAccount } from '../../payouts/seller-status';
import { disputeNotFound } from '../base/errors';
import { syncDispute } from '../provider-sync/disputes';

export type OpenDispute = { dispute: typeof disputes.$inferSelect; sale: typeof sales.$inferSelect; creator: string };

/** Open disputes, by the bank's deadline for an answer. */
export const listOpenDisputes = ({ db }: Pick<Ctx, 'db'>): Promise<OpenDispute[]> =>
  db
    .select({ dispute: disputes, sale: sales, creator: creators.domain })
    .from(disputes)
    .innerJoin(sales, eq(sales.id, disputes.saleId))
    .innerJoin(creators, eq(creators.id, sales.creatorId))
    .where(isNull(disputes.closedAt))
    .orderBy(asc(disputes.answerBy))
    .limit(RECONCILIATION_LIMITS.shown);

type Answer = { operator: Operator; id: string };

/** Sends the bank the evidence for the payment, at most once. @throws dispute.not_found, payments.conflict */
export async function answerDispute(ctx: Ctx, { operator, id, text }: Answer & { text: string }): Promise<void> {
  const own = await accountOf(ctx, id);
  await own.ports.payments.answerDispute(id, text, `dispute/${id}/answer`);
  await transact(ctx, (tx) =>
    recordOperation(tx, operator, { action: 'disputes.answered', target: `dispute/${id}`, details: { text } }),
  );
  await syncDispute(own, id);
}

/** Gives the payment up: the dispute is lost. @throws dispute.not_found, payments.conflict */
export async function acceptDispute(ctx: Ctx, { operator, id }: Answer): Promise<void> {
  const own = await accountOf(ctx, id);
  await own.ports.payments.acceptDispute(id, `dispute/${id}/accept`);
  await transact(ctx, (tx) =>
    recordOperation(tx, operator, { action: 'disputes.accepted', target: `dispute/${id}`, details: {} }),
  );
  await syncDispute(own, id);
}

/** The disputed payment may be on the creator's own account. */
async function accountOf(ctx: Ctx, id: string): Promise<Ctx> {
  const [row] = await ctx.db
    .select({ account: sales.sellerAccount })
    .from(disputes)
    .innerJoin(sales, eq(sales.id, disputes.saleId))
    .where(eq(disputes.providerId, id));
  if (!row) throw disputeNotFound();
  return onAccount(ctx, row.account);
}
