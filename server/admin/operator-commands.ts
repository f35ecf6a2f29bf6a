import { addOperator, listOperators, removeOperator } from '../domain/operators/manage-operators';
import { listOperations, recentOperations } from '../domain/operators/queries';
import { OPERATOR_LIMITS } from '../limits/operators';
import { type Command, type CommandGroup, timeCell, UsageError } from './command';

/** @throws UsageError */
function emailIn([email = '', ...others]: string[]): string {
  if (others.length > 0 || !email.includes('@')) throw new UsageError('expected the email address of one account');
  return email;
}

const list: Command = {
  usage: 'list',
  async run({ ctx }) {
    return (await listOperators(ctx)).map(({ addedAt, ...row }) => ({ ...row, addedAt: addedAt.toISOString() }));
  },
};

const add: Command = {
  usage: 'add EMAIL',
  async run({ ctx, operator }, args) {
    const email = emailIn(args);
    await addOperator(ctx, { operator, email });
    return [{ email, state: 'added: the pages open with a second factor, at /admin' }];
  },
};

const remove: Command = {
  usage: 'remove EMAIL',
  async run({ ctx, operator }, args) {
    const email = emailIn(args);
    await removeOperator(ctx, { operator, email });
    return [{ email, state: 'removed' }];
  },
};

/** With an argument such as `user/7`, lists the operators' steps for that object; otherwise the last steps. */
const log: Command = {
  usage: 'log [TARGET]',
  async run({ ctx }, [target, ...others]) {
    if (others.length > 0) throw new UsageError('expected one target, such as user/7');
    const rows = target
      ? (await listOperations(ctx, target)).map((row) => ({ ...row, target }))
      : await recentOperations(ctx, OPERATOR_LIMITS.listed);
    return rows.map(({ at, operator, action, target: about, details }) => ({
      ...{ at: timeCell(at), operator, action, target: about },
      details: JSON.stringify(details),
    }));
  },
};

export const operatorCommands: CommandGroup = { list, add, remove, log };
