import { TabLead } from '~/app/components/page-header';
import { EpisodeStarts } from '~/app/features/studio/statistics/episode-starts';
import { FiguresOfPeriod } from '~/app/features/studio/statistics/figures-of-period';
import { HistoryLink } from '~/app/features/studio/statistics/history/history-link';
import { loadSales } from '~/app/features/studio/statistics/load-sales.server';
import { loadStatistics, pageOfStatistics } from '~/app/features/studio/statistics/load-statistics.server';
import { withMetric } from '~/app/features/studio/statistics/metric-query';
import { MorePages } from '~/app/features/studio/statistics/more-pages';
import { ReportDownload } from '~/app/features/studio/statistics/report-download';
import { page } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { productRef } from '~/app/lib/route-refs';
import { useLoaderData } from '~/app/lib/router';
import { useIsEditor } from '~/app/lib/studio-context';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** How a show does: its plays in a period, and its episodes side by side. */
export const loader = page(async (door) => {
  const { api, context } = door;
  const ref = productRef(door);
  const [product, heard, loaded] = await Promise.all([
    api.products.forEditing(ref),
    api.statistics.heardOfShow(ref),
    loadStatistics(door, (query) => api.statistics.ofShow({ ...ref, ...query })),
  ]);
  const sales = await loadSales(door, loaded, (query) => api.statistics.salesOfShow({ ...ref, ...query }));
  const { episodes, listeners, asOf } = loaded.statistics;
  return {
    title: `${translator(context.language, 'statistics')('title')} · ${product.name}`,
    product: { ...ref, name: product.name, hasEpisodes: product.allEpisodesCount > 0 },
    page: await pageOfStatistics(door, loaded),
    episodes,
    heard,
    listeners,
    sales,
    asOf,
  };
});

export const meta = titleMeta;

export default function ShowStatistics() {
  const { t } = useTranslation('statistics');
  const paths = usePaths();
  const { product, page: shown, episodes, heard, listeners, sales, asOf } = useLoaderData<typeof loader>();
  const csvPath = `${paths.statistics(product)}/chart.csv`;
  const starts = { product, episodes, heard, zone: shown.view.period.zone, now: asOf };
  const isEditor = useIsEditor();
  const toShare = { name: t('empty.distribute'), to: paths.distribution(product) };
  const toCreate = { name: t('empty.newEpisode'), to: paths.createEpisode(product) };
  const firstStep = {
    text: t(product.hasEpisodes ? 'empty.share' : 'empty.noEpisode'),
    link: isEditor ? (product.hasEpisodes ? toShare : toCreate) : undefined,
  };
  return (
    <>
      <TabLead title={t('title')} help="statistics" />
      <FiguresOfPeriod
        {...shown}
        name={product.name}
        csvPath={csvPath}
        listeners={listeners}
        firstStep={firstStep}
        sales={sales}
        start={<MorePages product={product} />}
        last={
          <>
            <EpisodeStarts {...starts} csvUrl={`${csvPath}${withMetric(shown.query, {})}&chart=episodes`} />
            <ReportDownload view={shown.view} />
          </>
        }
        foot={<HistoryLink product={product} hasHistory={shown.view.imported.since !== null} />}
      />
    </>
  );
}
