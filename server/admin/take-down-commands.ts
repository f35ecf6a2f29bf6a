import { TAKE_DOWN_GROUNDS } from '~/db/values/take-downs';
import { TAKE_DOWN_TARGETS } from '../domain/console/kinds';
import { type TakeDownTarget, takeDownThing } from '../domain/console/schema';
import { listTakenDown, restoreTaken, takeDown } from '../domain/console/take-down';
import { OPERATOR_LIMITS } from '../limits/operators';
import { type Command, type CommandGroup, requireRowId, timeCell, UsageError } from './command';

const list: Command = {
  usage: 'list',
  async run({ ctx }) {
    return (await listTakenDown(ctx)).map(({ target, id, name, creator, at, statement }) => ({
      ...{ target, id, name, creator, at: timeCell(at) },
      ground: statement?.ground ?? null,
      reason: statement?.reason ?? null,
    }));
  },
};

const takeDownOf = (target: TakeDownTarget): Command => ({
  usage: `${target} ID --ground ${TAKE_DOWN_GROUNDS.join('|')} --reason TEXT`,
  options: ['ground', 'reason'],
  async run({ ctx, operator }, args, { ground, reason }) {
    const parsed = takeDownThing.safeParse({ target, id: requireRowId(args), ground, reason });
    if (!parsed.success) {
      const grounds = TAKE_DOWN_GROUNDS.join(' or ');
      throw new UsageError(
        `expected --ground ${grounds}, and --reason of at most ${OPERATOR_LIMITS.statementLength} characters`,
      );
    }
    await takeDown(ctx, { ...parsed.data, operator });
    return [{ target, id: parsed.data.id, state: 'taken down' }];
  },
});

const restoreOf = (target: TakeDownTarget): Command => ({
  usage: `${target} ID`,
  async run({ ctx, operator }, args) {
    const id = requireRowId(args);
    await restoreTaken(ctx, { operator, target, id });
    return [{ target, id, state: 'restored' }];
  },
});

const commandPerTarget = (commandOf: (target: TakeDownTarget) => Command): CommandGroup =>
  Object.fromEntries(TAKE_DOWN_TARGETS.map((target) => [target, commandOf(target)]));

export const takeDownCommands: CommandGroup = { list, ...commandPerTarget(takeDownOf) };
export const restoreCommands: CommandGroup = commandPerTarget(restoreOf);
