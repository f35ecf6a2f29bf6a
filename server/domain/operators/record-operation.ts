import { operatorActions } from '~/db/schema/operators';
import type { TxCtx } from '../../runtime/ctx';

/** The person who runs a command: the account of the operating system, or the name that they gave. */
export type Operator = { name: string };
type Operation = Pick<typeof operatorActions.$inferInsert, 'action' | 'target' | 'details'>;

/** Records an operator's action, in the same transaction. */
export async function recordOperation(tx: TxCtx, { name }: Operator, operation: Operation): Promise<void> {
  await tx.db.insert(operatorActions).values({ operator: name, ...operation, at: tx.now() });
}
