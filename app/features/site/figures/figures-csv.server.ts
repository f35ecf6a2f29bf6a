import { csvResponse } from '~/app/lib/csv-response.server';
import type { Door } from '~/app/lib/doors.server';
import { finalStart } from '~/app/lib/start-text';
import { csvLine } from '~/server/base/csv';
import { type SponsorAnswer, toFigures } from './figures-data.server';

type Cells = readonly (string | number | Date | null)[];

/**
 * A file with the values of one part of the page. The names of its columns are the same in all languages.
 * @throws a 404 response for a part that the page does not have
 */
export function figuresCsv(part: string | null, page: SponsorAnswer, context: Door['context']): Response {
  const rows = rowsOf(part ?? '', page, context);
  if (!rows) throw new Response(null, { status: 404, statusText: 'Not Found' });
  const response = csvResponse(`${part}-${page.period.from}-${page.period.to}.csv`, linesOf(rows));
  response.headers.set('x-robots-tag', 'noindex, nofollow');
  return response;
}

async function* linesOf(rows: Cells[]): AsyncGenerator<string, void> {
  yield rows.map(csvLine).join('');
}

function rowsOf(part: string, page: SponsorAnswer, context: Door['context']): Cells[] | null {
  if (part === 'downloads') return [['day', part], ...page.downloads.map(({ day, downloads }) => [day, downloads])];
  if (part === 'listeners') return [['day', part], ...page.listeners.map(({ day, listeners }) => [day, listeners])];
  if (part === 'episodes')
    return [
      ['name', 'released_at', 'first_7d', 'first_30d'],
      ...page.episodes.map((one) => [
        ...[one.name, one.releasedAt],
        ...(['first7d', 'first30d'] as const).map((start) => finalStart(one, start, page.asOf)),
      ]),
    ];
  if (part === 'countries' || part === 'apps' || part === 'devices') {
    const slices = toFigures(page, context)[part];
    return [['key', 'name', 'plays'], ...slices.map(({ key, name, plays }) => [key, name, plays])];
  }
  return null;
}
