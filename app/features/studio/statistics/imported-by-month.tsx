import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { type MetricQuery, withMetric } from './metric-query';
import classes from './statistics.module.css';
import type { StatisticsView } from './view';

/** Hosts whose figures are of months, which the chart by day or week leaves out. */
export function ImportedByMonth({ view, query }: { view: StatisticsView; query: MetricQuery }) {
  const { t } = useTranslation('history');
  const names = view.imported.series.filter(({ isByMonth }) => isByMonth).map(({ name }) => name);
  if (names.length === 0) return null;
  return (
    <p className={classes.note}>
      {t('byMonth', { names: names.join(', ') })}{' '}
      <Link to={withMetric(query, { granularity: 'month' })} preventScrollReset>
        {t('byMonth.show')}
      </Link>
    </p>
  );
}
