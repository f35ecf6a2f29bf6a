import { type Ctx, transact } from '../../runtime/ctx';
import { type Operator, recordOperation } from '../operators/record-operation';
import { type Setting, writeSwitch } from '../reference/switches';

/**
 * Takes effect at once in every process: each use reads the database.
 * @returns the creators for whom the feature is on in any case
 */
export function setSwitch(ctx: Ctx, { operator, ...setting }: Setting & { operator: Operator }): Promise<number[]> {
  const { name, percent } = setting;
  return transact(ctx, async (tx) => {
    const creatorIds = await writeSwitch(tx, setting, operator.name);
    const details = { percent, creators: creatorIds.join(' ') };
    await recordOperation(tx, operator, { action: 'switches.set', target: `switch/${name}`, details });
    return creatorIds;
  });
}
