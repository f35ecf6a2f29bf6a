import { SWITCHES } from '~/db/values/switches';
import { setSwitch } from '../domain/console/schema';
import { setSwitch as write } from '../domain/console/set-switch';
import { listSwitches } from '../domain/reference/switches';
import { type Command, type CommandGroup, timeCell, UsageError } from './command';

const list: Command = {
  usage: 'list',
  async run({ ctx }) {
    return (await listSwitches(ctx)).map(({ creatorIds, changedAt, ...row }) => ({
      ...row,
      creatorIds: creatorIds.join(' '),
      changedAt: timeCell(changedAt),
    }));
  },
};

const set: Command = {
  usage: `set ${SWITCHES.join('|')} PERCENT [--creators 3,7]`,
  options: ['creators'],
  async run({ ctx, operator }, [name, percent, ...others], { creators }) {
    const parsed = setSwitch.safeParse({ name, percent, creatorIds: creators ?? '' });
    if (!parsed.success || others.length > 0)
      throw new UsageError('expected a name, as “list” prints it, and a number from 0 (off) to 100 (on)');
    const creatorIds = await write(ctx, { operator, ...parsed.data });
    return [{ ...parsed.data, creatorIds: creatorIds.join(' ') }];
  },
};

export const switchCommands: CommandGroup = { list, set };
