import { csvResponse } from '~/app/lib/csv-response.server';
import { csvLine } from '~/server/base/csv';
import type { Retention } from '~/server/domain/statistics/retention';

/** A file with the listeners of each minute. @throws a 404 response if nobody has heard the episode in our player */
export function retentionCsv(retention: Retention | null): Response {
  if (!retention) throw new Response(null, { status: 404, statusText: 'Not Found' });
  return csvResponse('retention.csv', linesOf(retention));
}

async function* linesOf({ curve, listeners }: Retention): AsyncGenerator<string, void> {
  yield csvLine(['minute', 'listeners', 'share']);
  for (const [minute, heard] of curve.entries()) yield csvLine([minute, heard, (heard / listeners).toFixed(4)]);
}
