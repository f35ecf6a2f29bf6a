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
    ...{ total: figures.total, days: figures.days, isLastDayOpen: figures.isLastDayOpen },
    episodes: figures.episodes.map(({ id, name, impressions }) => ({ key: String(id), name, impressions })),
    countries: named(figures.countries, (key) => countryName(key, language)),
    apps: named(figures.apps, clientNames.app),
  };
}

/** A file with all figures, a row for each day, episode, country and app. Its columns have the same names in all languages. */
export function figuresFile(name: string, figures: ShownFigures): Response {
  const rows: Cells[] = [
    ['by', 'key', 'name', 'impressions'],
    ...figures.days.map(({ day, impressions }) => ['day', day, '', impressions]),
    ...BY.flatMap(([by, part]) => figures[part].map((row) => [by, row.key, row.name, row.impressions])),
  ];
  const response = csvResponse(`${name}.csv`, linesOf(rows));
  response.headers.set('x-robots-tag', 'noindex, nofollow');
  return response;
}

const BY = [
  ['episode', 'episodes'],
  ['country', 'countries'],
  ['app', 'apps'],
] as const;

type Cells = readonly (string | number)[];

async function* linesOf(rows: Cells[]): AsyncGenerator<string, void> {
  yield rows.map(csvLine).join('');
}
