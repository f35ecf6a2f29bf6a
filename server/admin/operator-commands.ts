import { addOperator, listOperators, removeOperator } from '../domain/operators/granting';
import { type Command, type Group, UsageError } from './command';

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

export const operatorCommands: Group = { list, add, remove };
