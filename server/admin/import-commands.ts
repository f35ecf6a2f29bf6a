import { cancelAnyImport, listImports, retryAnyImport } from '../domain/console/imports';
import { type FindImport, findImport } from '../domain/console/schema';
import { type Command, type CommandGroup, UsageError } from './command';

/** @throws UsageError */
function importIn([kind, id, ...others]: string[]): FindImport {
  const parsed = findImport.safeParse({ kind, id });
  if (parsed.success && others.length === 0) return parsed.data;
  throw new UsageError('expected rss or subscribers, and an ID, as “list” prints them');
}

const list: Command = {
  usage: 'list',
  async run({ ctx }) {
    return (await listImports(ctx)).map(({ changedAt, ...row }) => ({ ...row, changed: changedAt.toISOString() }));
  },
};

const retry: Command = {
  usage: 'retry rss|subscribers ID',
  async run({ ctx, operator }, args) {
    const found = importIn(args);
    await retryAnyImport(ctx, { operator, ...found });
    return [{ ...found, state: 'continues' }];
  },
};

const cancel: Command = {
  usage: 'cancel rss|subscribers ID',
  async run({ ctx, operator }, args) {
    const found = importIn(args);
    await cancelAnyImport(ctx, { operator, ...found });
    return [{ ...found, state: 'cancelled' }];
  },
};

export const importCommands: CommandGroup = { list, retry, cancel };
