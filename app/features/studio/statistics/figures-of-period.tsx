import type { ReactNode } from 'react';
import { Button } from '~/app/components/button';
import { PictureCaption } from '~/app/components/charts/picture-caption';
import { EmptyState, EpisodePicture } from '~/app/components/empty-state';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { SalesStatistics } from '~/server/domain/statistics/sales-statistics';
import { Breakdowns } from './breakdowns';
import { Changes } from './changes';
import { longDay, periodText } from './dates';
import { Evolution } from './evolution';
import { ImportedByMonth } from './imported-by-month';
import { Machines } from './machines';
import { type MetricQuery, presetStart, withMetric } from './metric-query';
import { type FilterChoice, PeriodBar } from './period-bar';
import { Sales } from './sales';
import classes from './statistics.module.css';
import { TotalFigures } from './totals';
import { firstShown, hasImported, type StatisticsView } from './view';
import { WeekPattern } from './week';

export type PageOfStatistics = {
  view: StatisticsView;
  query: MetricQuery;
  filters: { country: FilterChoice[]; app: FilterChoice[] } | null;
  zones: { choices: FilterChoice[]; hasAll: boolean };
  problem: string | null;
};

type Props = PageOfStatistics & {
  /** Whose figures they are. */
  name: string;
  /** The address of the page's CSV files. */
  csvPath: string;
  listeners?: number | null;
  /** Subscribers and money; null for members of the team who may not see them. */
  sales?: SalesStatistics | null;
  /** What to do before the first play. */
  firstStep: { text: string; link?: { name: string; to: string } };
  /** Figures and charts of this page only: above the period, below the evolution, and below all others. */
  start?: ReactNode;
  first?: ReactNode;
  last?: ReactNode;
  /** Below the page's last line, also before the first play. */
  foot?: ReactNode;
};

/** The figures of a period, and their charts. */
export function FiguresOfPeriod({
  name,
  csvPath,
  listeners,
  firstStep,
  sales,
  start,
  first,
  last,
  foot,
  ...page
}: Props) {
  const { t, locale } = useTranslation('statistics');
  const { view, query, filters } = page;
  if (firstShown(view) === null)
    return (
      <>
        <NothingYet {...firstStep} />
        {foot && <Foot>{foot}</Foot>}
      </>
    );
  const csvUrl = (chart: string) => `${csvPath}${withMetric(query, {})}&chart=${chart}`;
  const filterBy = (name: 'country' | 'app', key: string) => withMetric(query, { [name]: key });
  return (
    <PictureCaption.Provider value={`${name} · ${periodText(t, view.period, locale)}`}>
      {start}
      <PeriodBar {...page} />
      {(query.country ?? query.app) !== undefined && <p className={classes.note}>{t('filter.note')}</p>}
      <TotalFigures view={view} listeners={listeners} />
      {view.totals.plays === 0 && !hasImported(view) && <NothingHere view={view} query={query} />}
      {(view.totals.plays > 0 || hasImported(view)) && <Evolution view={view} csvUrl={csvUrl('evolution')} />}
      <ImportedByMonth view={view} query={query} />
      {view.totals.plays > 0 && (
        <>
          <Changes changes={view.changes} />
          {first}
          <Breakdowns view={view} csvUrl={csvUrl} filterBy={filters ? filterBy : undefined} />
          <WeekPattern view={view} csvUrl={csvUrl('week')} />
        </>
      )}
      {sales && <Sales sales={sales} csvUrl={csvUrl} />}
      {last}
      <Foot>
        {view.since && <p>{t('since', { day: longDay(view.since, locale) })}</p>}
        <Machines machines={view.machines} />
        {foot}
      </Foot>
    </PictureCaption.Provider>
  );
}

/** Quiet lines below all figures. */
const Foot = ({ children }: { children: ReactNode }) => <footer className={classes.foot}>{children}</footer>;

/** What to do before the first play. */
export function NothingYet({ text, link }: Props['firstStep']) {
  const { t } = useTranslation('statistics');
  return (
    <EmptyState
      picture={<EpisodePicture />}
      title={t('empty.title')}
      action={
        link && (
          <Button component={Link} to={link.to}>
            {link.name}
          </Button>
        )
      }
    >
      {text}
    </EmptyState>
  );
}

function NothingHere({ view, query }: { view: StatisticsView; query: MetricQuery }) {
  const { t } = useTranslation('statistics');
  const start = presetStart('all', { today: view.today, since: firstShown(view) });
  const all = { from: start, to: null, granularity: null, country: null, app: null };
  return (
    <EmptyState
      picture={<EpisodePicture />}
      title={t('empty.period')}
      action={
        <Button component={Link} to={withMetric(query, all)} variant="default">
          {t('empty.showAll')}
        </Button>
      }
    />
  );
}
