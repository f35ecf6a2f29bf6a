import { csvResponse } from '~/app/lib/csv-response.server';
import type { Door } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';
import { csvLine } from '~/server/base/csv';
import { countryName } from '~/server/base/formats';
import type { Caller } from '~/server/trpc/caller';
import type { ShownFigures } from './campaign-figures';

type Figures = Awaited<ReturnType<Caller['campaigns']['figures']>>;

/** The figures with the names of countries and apps in the reader's language. */
export function namedFigures(figures: Figures, { language, clientNames }: Door['context']): ShownFigures {
  const unknown = translator(language, 'statistics')('unknown');
  const named = (rows: Figures['apps'], nameOf: (key: string) => string) =>
    rows.map((row) => ({ ...row, name: row.key === '' || row.key === 'ZZ' ? unknown : nameOf(row.key) }));
  return {
    ...{ total: figures.total, days: figures.days },
    episodes: figures.episodes.map(({ id, name, impressions }) => ({ key: String(id), name, impressions })),
    countries: named(figures.countries, (key) => countryName(key, language)),
    apps: named(figures.apps, clientNames.app),
  };
}

/**
 * A file with one part of the figures. The names of its columns are the same in all languages.
 * @throws a 404 response for a part that does not exist
 */
export function figuresFile(part: string | null, name: string, figures: ShownFigures): Response {
  const rows = rowsOf(part, figures);
  if (!rows) throw new Response(null, { status: 404, statusText: 'Not Found' });
  const response = csvResponse(`${name}-${part}.csv`, linesOf(rows));
  response.headers.set('x-robots-tag', 'noindex, nofollow');
  return response;
}

type Cells = readonly (string | number)[];

async function* linesOf(rows: Cells[]): AsyncGenerator<string, void> {
  yield rows.map(csvLine).join('');
}

function rowsOf(part: string | null, figures: ShownFigures): Cells[] | null {
  if (part === 'days')
    return [['day', 'impressions'], ...figures.days.map(({ day, impressions }) => [day, impressions])];
  if (part === 'episodes' || part === 'countries' || part === 'apps')
    return [['key', 'name', 'impressions'], ...figures[part].map((row) => [row.key, row.name, row.impressions])];
  return null;
}
