import { loadStatistics, toView } from '~/app/features/studio/statistics/load-statistics.server';
import { metricQuery } from '~/app/features/studio/statistics/metric-query';
import { salesChart, salesCsv } from '~/app/features/studio/statistics/sales-csv.server';
import { statisticsCsv } from '~/app/features/studio/statistics/statistics-csv.server';
import { file } from '~/app/lib/doors.server';

/** The values of one chart of all shows. */
export const loader = file(async (door) => {
  const chart = salesChart(door.url);
  if (chart) return salesCsv(chart, await door.api.statistics.salesOfCreator(metricQuery(door.url.searchParams)));
  const { statistics } = await loadStatistics(door, (query) => door.api.statistics.ofCreator(query));
  return statisticsCsv(door.url.searchParams.get('chart'), { view: toView(statistics, door.context) });
});
