import { type Ctx, transact } from '../../runtime/ctx';
import { type Operator, recordOperation } from '../operators/record-operation';
import { dismissReport as dismiss } from '../support/decide-reports';
import { nothingToDo } from './errors';

type Dismissing = { operator: Operator; id: number; answer: string };

/** Sends the answer to the reporter. @throws console.nothing_to_do */
export function dismissReport(ctx: Ctx, { operator, id, answer }: Dismissing): Promise<void> {
  return transact(ctx, async (tx) => {
    const dismissed = await dismiss(tx, id, { by: operator.name, answer });
    if (!dismissed) throw nothingToDo();
    const details = { answer, about: dismissed.target };
    await recordOperation(tx, operator, { action: 'reports.dismissed', target: `report/${id}`, details });
  });
}
