import { loadStatistics, toView } from '~/app/features/studio/statistics/load-statistics.server';
import { statisticsCsv } from '~/app/features/studio/statistics/statistics-csv.server';
import { file } from '~/app/lib/doors.server';
import { episodeRef } from '~/app/lib/route-refs';

/** The values of one chart of an episode. */
export const loader = file(async (door) => {
  const { statistics } = await loadStatistics(door, (query) =>
    door.api.statistics.ofEpisode({ ...episodeRef(door), ...query }),
  );
  const view = toView(statistics, door.context);
  return statisticsCsv(door.url.searchParams.get('chart'), { view, pacing: statistics.pacing });
});
