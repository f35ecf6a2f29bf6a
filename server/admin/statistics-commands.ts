import { compareStore } from '../domain/listening/compare-store';
import { moveHistory } from '../domain/listening/move-history';
import { recountStatistics } from '../domain/listening/recount-statistics';
import { type Command, type CommandGroup, requireRowId, UsageError } from './command';
import { importLog } from './log-commands';

const MONTH = /^20\d{2}-(?:0[1-9]|1[0-2])$/;

/** Whole months, because the sums of an episode are monthly. */
const recount: Command = {
  usage: 'recount YYYY-MM [YYYY-MM] [--show ID]',
  options: ['show'],
  async run({ ctx, operator }, [from = '', to = from, ...others], { show }) {
    if (!MONTH.test(from) || !MONTH.test(to) || from > to || others.length > 0)
      throw new UsageError('expected a month, such as 2026-10, or the first and the last one');
    const productId = show === undefined ? null : requireRowId([show]);
    return [await recountStatistics(ctx, { operator, from, to, productId })];
  },
};

/** To the store that `STATISTICS_URL` names (docs/scaling.md). */
const move: Command = {
  usage: 'move',
  async run({ ctx, operator }) {
    const moved = await moveHistory(ctx, { operator });
    return [{ ...moved, differences: (await compareStore(ctx)).length }];
  },
};

/** Days of shows whose plays in the store are others than those that were sent there. */
const compare: Command = { usage: 'compare', run: ({ ctx }) => compareStore(ctx) };

export const statisticsCommands: CommandGroup = { recount, move, compare, 'import-log': importLog };
