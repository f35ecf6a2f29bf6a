import { loadStatistics, toView } from '~/app/features/studio/statistics/load-statistics.server';
import { metricQuery } from '~/app/features/studio/statistics/metric-query';
import { salesChart, salesCsv } from '~/app/features/studio/statistics/sales-csv.server';
import { statisticsCsv } from '~/app/features/studio/statistics/statistics-csv.server';
import { file } from '~/app/lib/doors.server';
import { productRef } from '~/app/lib/route-refs';

/** The values of one chart of a show. */
export const loader = file(async (door) => {
  const chart = salesChart(door.url);
  if (chart)
    return salesCsv(
      chart,
      await door.api.statistics.salesOfShow({ ...productRef(door), ...metricQuery(door.url.searchParams) }),
    );
  const { statistics } = await loadStatistics(door, (query) =>
    door.api.statistics.ofShow({ ...productRef(door), ...query }),
  );
  const view = toView(statistics, door.context);
  return statisticsCsv(door.url.searchParams.get('chart'), { view, starts: statistics });
});
