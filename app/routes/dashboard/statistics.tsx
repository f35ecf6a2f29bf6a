import { redirect } from '@remix-run/node';
import { PageHeader } from '~/app/components/page-header';
import { FiguresOfPeriod } from '~/app/features/studio/statistics/figures-of-period';
import { loadSales } from '~/app/features/studio/statistics/load-sales.server';
import { loadStatistics, pageOfStatistics } from '~/app/features/studio/statistics/load-statistics.server';
import { ReportDownload } from '~/app/features/studio/statistics/report-download';
import { page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** How all shows of the creator do together. */
export const loader = page(async (door) => {
  const creator = await door.api.creators.mine();
  if (!creator) throw redirect(pathsFor(door.url).start('page'));
  const loaded = await loadStatistics(door, (query) => door.api.statistics.ofCreator(query));
  return {
    title: translator(door.context.language, 'statistics')('title'),
    creator: creator.name,
    page: await pageOfStatistics(door, loaded),
    sales: await loadSales(door, loaded, (query) => door.api.statistics.salesOfCreator(query)),
  };
});

export const meta = titleMeta;

export default function CreatorStatistics() {
  const { t } = useTranslation('statistics');
  const paths = usePaths();
  const { title, creator, page: shown, sales } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title={title} lead={t('lead.all')} help="statistics" />
      <FiguresOfPeriod
        {...shown}
        name={creator}
        last={<ReportDownload view={shown.view} />}
        csvPath={`${paths.allStatistics}/chart.csv`}
        sales={sales}
        firstStep={{ text: t('empty.all'), link: { name: t('empty.toShows'), to: paths.products } }}
      />
    </>
  );
}
