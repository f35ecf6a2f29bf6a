import { dismissReport } from '../domain/console/dismiss-report';
import { dismissReport as dismissal } from '../domain/console/schema';
import { listReports } from '../domain/support/decide-reports';
import { REPORT_LIMITS } from '../limits/support';
import { type Command, type CommandGroup, requireRowId, timeCell, UsageError } from './command';

const listOf = (isOpen: boolean): Command => ({
  usage: isOpen ? 'list' : 'decided',
  async run({ ctx }) {
    const rows = await listReports(ctx, { isOpen });
    return rows.map(({ id, createdAt, target, name, reason, text, reporterEmail, state, answer }) => ({
      ...{ id, at: timeCell(createdAt), target, name, reason, text, from: reporterEmail },
      ...(!isOpen && { state, answer }),
    }));
  },
});

const dismiss: Command = {
  usage: 'dismiss ID --answer TEXT',
  options: ['answer'],
  async run({ ctx, operator }, args, { answer }) {
    const parsed = dismissal.safeParse({ id: requireRowId(args), answer });
    if (!parsed.success)
      throw new UsageError(`expected --answer of at most ${REPORT_LIMITS.answerLength} characters, for the reporter`);
    await dismissReport(ctx, { ...parsed.data, operator });
    return [{ id: parsed.data.id, state: 'dismissed' }];
  },
};

/** Justified reports end with `take-down`. */
export const reportCommands: CommandGroup = { list: listOf(true), decided: listOf(false), dismiss };
