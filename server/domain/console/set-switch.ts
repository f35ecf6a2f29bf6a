import { type Ctx, transact } from '../../runtime/ctx';
import { type Operator, recordOperation } from '../operators/record-operation';
import { type Setting, writeSwitch } from '../reference/switches';

/** Takes effect at once in every process: each use reads the database. */
export function setSwitch(ctx: Ctx, { operator, ...setting }: Setting & { operator: Operator }): Promise<void> {
  const { name, percent, creatorIds } = setting;
  return transact(ctx, async (tx) => {
    await writeSwitch(tx, setting, operator.name);
    const details = { percent, creators: creatorIds.join(' ') };
    await recordOperation(tx, operator, { action: 'switches.set', target: `switch/${name}`, details });
  });
}
