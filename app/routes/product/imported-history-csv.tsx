import { historyQuery } from '~/app/features/studio/statistics/history/history-query';
import { csvResponse } from '~/app/lib/csv-response.server';
import { file } from '~/app/lib/doors.server';
import { productRef } from '~/app/lib/route-refs';
import { translator } from '~/app/lib/texts.server';
import { csvLine } from '~/server/base/csv';
import type { HistoryProblem } from '~/server/domain/statistics/read-history';

/** The rows of a file that are not imported, with the reason in the creator's language. */
export const loader = file(async (door) => {
  const query = historyQuery(door.url.searchParams) ?? { statisticsKey: '' };
  const problems = await door.api.importedHistory.problems({ ...productRef(door), ...query });
  const t = translator(door.context.language, 'history');
  return csvResponse(
    'left-out.csv',
    linesOf(problems, (reason) => t(`reason.${reason}`)),
  );
});

async function* linesOf(problems: HistoryProblem[], textOf: (reason: string) => string): AsyncGenerator<string, void> {
  yield csvLine(['row', 'reason', 'text', 'cells']);
  yield problems.map(({ row, reason, text }) => csvLine([row, reason, textOf(reason), text])).join('');
}
