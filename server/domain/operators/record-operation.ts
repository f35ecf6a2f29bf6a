import { operatorActions } from '~/db/schema/operators';
import type { TxCtx } from '../../runtime/ctx';

/** Who runs a command: the account of the operating system, or the name that they gave. */
export type Operator = { name: string };
type Operation = Pick<typeof operatorActions.$inferInsert, 'action' | 'target' | 'details'>;

/** Writes down what an operator does, in the transaction that does it. */
export async function recordOperation(tx: TxCtx, { name }: Operator, operation: Operation): Promise<void> {
  await tx.db.insert(operatorActions).values({ operator: name, ...operation, at: tx.now() });
}
