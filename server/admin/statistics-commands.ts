import { recountStatistics } from '../domain/listening/recount-statistics';
import { type Command, type CommandGroup, requireRowId, UsageError } from './command';

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

export const statisticsCommands: CommandGroup = { recount };
