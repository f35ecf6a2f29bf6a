import { eq } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { type Ctx, transact } from '../../runtime/ctx';
import { creatorNotFound } from '../creators/errors';
import { setInsertionAccess } from '../creators/insertion-access';
import { type Operator, recordOperation } from '../operators/record-operation';
import { nothingToDo } from './errors';

type Step = { operator: Operator; id: number };

/** Audio insertions for a creator, whatever the plan includes. @throws creator.not_found, console.nothing_to_do */
export const openInsertions = (ctx: Ctx, step: Step): Promise<void> => setAccess(ctx, step, true);

/** Only as the plan says. Campaigns without one end within the hour. @throws as openInsertions */
export const closeInsertions = (ctx: Ctx, step: Step): Promise<void> => setAccess(ctx, step, false);

function setAccess(ctx: Ctx, { operator, id }: Step, isOpen: boolean): Promise<void> {
  return transact(ctx, async (tx) => {
    if ((await tx.db.$count(creators, eq(creators.id, id))) === 0) throw creatorNotFound();
    if (!(await setInsertionAccess(tx, id, isOpen))) throw nothingToDo();
    const action = isOpen ? 'creators.insertions_opened' : 'creators.insertions_closed';
    await recordOperation(tx, operator, { action, target: `creator/${id}`, details: {} });
  });
}
