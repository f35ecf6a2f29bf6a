import { csvResponse } from '~/app/lib/csv-response.server';
import { finalStart, STARTS } from '~/app/lib/start-text';
import { DIMENSIONS } from '~/db/values/statistics';
import { csvLine } from '~/server/base/csv';
import { isIn } from './changes';
import type { EpisodeStart, Pacing, StatisticsView } from './view';

type Cells = readonly (string | number | Date | null)[];
/** `asOf`: the present, which the first days of an episode may not have reached the end of. */
type Starts = { episodes: EpisodeStart[]; asOf: Date };
type Known = { view: StatisticsView; starts?: Starts; pacing?: Pacing | null };

const WEEKDAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');

/** A file with the values of one chart. @throws a 404 response for a chart that the page does not have */
export function statisticsCsv(chart: string | null, known: Known): Response {
  const rows = rowsOf(chart ?? '', known);
  if (!rows) throw new Response(null, { status: 404, statusText: 'Not Found' });
  const { from, to } = known.view.period;
  return csvResponse(`${chart}-${from}-${to}.csv`, linesOf(rows));
}

async function* linesOf(rows: Cells[]): AsyncGenerator<string, void> {
  yield rows.map(csvLine).join('');
}

/** The first row has the names of the columns, which are the same in all languages. */
export function rowsOf(chart: string, { view, starts, pacing }: Known): Cells[] | null {
  const dimension = DIMENSIONS.find((name) => name === chart);
  if (dimension) {
    const slices = view.breakdown[dimension] ?? [];
    return [[dimension, 'name', 'plays'], ...slices.map(({ key, name, plays }) => [key, name, plays])];
  }
  if (chart === 'evolution') return evolutionRows(view);
  if (chart === 'week' && view.week) {
    return [
      ['hour', ...WEEKDAYS],
      ...Array.from({ length: 24 }, (_, hour) => [hour, ...view.week!.plays.map((day) => day[hour] ?? 0)]),
    ];
  }
  if (chart === 'episodes' && starts) return episodeRows(starts);
  if (chart === 'pacing' && pacing) return pacingRows(pacing);
  return null;
}

/** `corrected_days`: the days whose figures were corrected in this step, with the plays that were added to them. */
function evolutionRows(view: StatisticsView): Cells[] {
  const { evolution, evolutionBefore, changes } = view;
  // the name of a host may be there twice: figures of whole months have no cell by day or week
  const series = view.imported.series.filter(({ isByMonth }) => !isByMonth);
  return [
    [
      ...['from', 'plays', 'listens', 'downloads', 'player_downloads', 'before_from', 'before_plays', 'corrected_days'],
      ...series.map(({ name }) => `imported: ${name}`),
    ],
    ...evolution.map(({ at, plays, listens, downloads, playerDownloads }, i) => {
      const before = evolutionBefore[i];
      const corrected = changes
        .filter(({ day }) => isIn(view, i, day))
        .map((change) => `${change.from}/${change.to}: ${change.listens + change.downloads}`);
      const known = [at, plays, listens, downloads, playerDownloads];
      return [
        ...known,
        before?.at ?? null,
        before?.plays ?? null,
        corrected.join('; '),
        ...series.map((line) => line.plays[i] ?? null),
      ];
    }),
  ];
}

function episodeRows({ episodes, asOf }: Starts): Cells[] {
  return [
    ['id', 'name', 'released_at', 'first_24h', 'first_7d', 'first_30d', 'total'],
    ...episodes.map((one) => [
      ...[one.id, one.name, one.releasedAt],
      ...STARTS.map(({ name }) => finalStart(one, name, asOf)),
      one.total,
    ]),
  ];
}

function pacingRows({ hours, others }: Pacing): Cells[] {
  const length = Math.max(hours.length, others.median.length);
  const at = (values: number[], hour: number) => values[hour] ?? null;
  return [
    ['hours_since_release', 'plays', 'lower_quartile', 'median', 'upper_quartile'],
    ...Array.from({ length }, (_, hour) => [
      hour + 1,
      ...[hours, others.lower, others.median, others.upper].map((values) => at(values, hour)),
    ]),
  ];
}
