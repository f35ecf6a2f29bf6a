import { loadStatistics, toView } from '~/app/features/studio/statistics/load-statistics.server';
import { retentionCsv } from '~/app/features/studio/statistics/retention-csv.server';
import { statisticsCsv } from '~/app/features/studio/statistics/statistics-csv.server';
import { file } from '~/app/lib/doors.server';
import { episodeRef } from '~/app/lib/route-refs';

/** The values of one chart of an episode. */
export const loader = file(async (door) => {
  const chart = door.url.searchParams.get('chart');
  if (chart === 'retention') return retentionCsv(await door.api.statistics.retention(episodeRef(door)));
  const { statistics } = await loadStatistics(door, (query) =>
    door.api.statistics.ofEpisode({ ...episodeRef(door), ...query }),
  );
  const view = toView(statistics, door.context);
  return statisticsCsv(chart, { view, pacing: statistics.pacing });
});
