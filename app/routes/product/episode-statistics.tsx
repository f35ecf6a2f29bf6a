import { TabLead } from '~/app/components/page-header';
import { FiguresOfPeriod, NothingYet } from '~/app/features/studio/statistics/figures-of-period';
import { loadStatistics, pageOfStatistics } from '~/app/features/studio/statistics/load-statistics.server';
import { withMetric } from '~/app/features/studio/statistics/metric-query';
import { Pacing } from '~/app/features/studio/statistics/pacing';
import { Retention } from '~/app/features/studio/statistics/retention';
import { StartFigures } from '~/app/features/studio/statistics/start-figures';
import { page } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { episodeRef } from '~/app/lib/route-refs';
import { useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** How an episode does: its plays in a period, and its start against the show's other episodes. */
export const loader = page(async (door) => {
  const { api, context } = door;
  const ref = episodeRef(door);
  const [{ id, name, kind, productId, status, formerReleaseDate }, retention, loaded] = await Promise.all([
    api.episodes.forEditing(ref),
    api.statistics.retention(ref),
    loadStatistics(door, (query) => api.statistics.ofEpisode({ ...ref, ...query })),
  ]);
  const { pacing, figures, asOf } = loaded.statistics;
  return {
    title: `${translator(context.language, 'statistics')('title')} · ${name}`,
    episode: { id, kind, productId, name },
    isDraft: !['published', 'scheduled'].includes(status) && formerReleaseDate === null,
    page: await pageOfStatistics(door, loaded),
    pacing,
    retention,
    figures,
    asOf,
  };
});

export const meta = titleMeta;

export default function EpisodeStatistics() {
  const { t } = useTranslation('statistics');
  const paths = usePaths();
  const { episode, isDraft, page: shown, pacing, retention, figures, asOf } = useLoaderData<typeof loader>();
  if (isDraft) {
    const link = { name: t('empty.openEpisode'), to: paths.episode(episode) };
    return (
      <>
        <TabLead title={t('title')} />
        <NothingYet text={t('empty.draft')} link={link} />
      </>
    );
  }
  const csvPath = `${paths.episodeStatistics(episode)}/chart.csv`;
  const csvUrl = (chart: string) => `${csvPath}${withMetric(shown.query, {})}&chart=${chart}`;
  return (
    <>
      <TabLead title={t('title')} />
      <FiguresOfPeriod
        {...shown}
        name={episode.name}
        csvPath={csvPath}
        firstStep={{ text: t('empty.episode'), link: { name: t('empty.toEpisode'), to: paths.episode(episode) } }}
        start={figures && <StartFigures figures={figures} now={asOf} />}
        first={pacing && <Pacing pacing={pacing} csvUrl={csvUrl('pacing')} />}
        last={retention && <Retention retention={retention} csvUrl={csvUrl('retention')} />}
      />
    </>
  );
}
