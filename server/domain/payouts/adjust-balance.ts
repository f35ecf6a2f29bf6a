import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import type { Money } from '../../base/money';
import { type Ctx, transact } from '../../runtime/ctx';
import { type Operator, recordOperation } from '../operators/record-operation';
import { creatorUnknown } from './errors';
import { enterAdjustment } from './ledger';

type Adjustment = { operator: Operator; domain: string; amount: Money; reason: string };

/**
 * Credits a creator, or debits them (a negative amount), with a reason that the statement shows.
 * @throws payout.creator_unknown
 */
export function adjustBalance(ctx: Ctx, { operator, domain, amount, reason }: Adjustment): Promise<void> {
  return transact(ctx, async (tx) => {
    const [creator] = await tx.db
      .select({ id: creators.id })
      .from(creators)
      .where(eq(creators.domain, domain))
      .for('no key update');
    if (!creator) throw creatorUnknown();
    const entry = { key: randomUUID(), creatorId: creator.id, ...amount, note: reason, actor: operator.name };
    await enterAdjustment(tx, entry);
    const details = { amountMinor: amount.minor, currency: amount.currency, reason };
    await recordOperation(tx, operator, { action: 'books.adjusted', target: `creator/${domain}`, details });
  });
}
