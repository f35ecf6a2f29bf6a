import { ChartFigure } from '~/app/components/charts/chart-figure';
import { LineChart } from '~/app/components/charts/line-chart';
import { StackedTable } from '~/app/components/stacked-table';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import { formatMoney } from '~/server/base/money';
import type { SalesStatistics } from '~/server/domain/statistics/sales-statistics';
import { longPoint, shortPoint } from './dates';
import { SalesFigures } from './sales-figures';
import classes from './statistics.module.css';
import { trendText } from './trend';

type Props = { sales: SalesStatistics; csvUrl: (chart: string) => string };

/** Subscribers and money of the period, for members of the team who may see them. */
export function Sales({ sales, csvUrl }: Props) {
  const { t } = useTranslation('statistics');
  const { subscribers, subscribersBefore, revenue, coupons } = sales;
  const hasSubscribers = [subscribers, subscribersBefore].some(({ start, gained }) => start + gained > 0);
  const isPaid = hasSubscribers || revenue.some(({ now, before }) => now !== 0 || before !== 0) || coupons.length > 0;
  if (!isPaid) return null;
  return (
    <section aria-labelledby="sales">
      <h2 id="sales" className={classes.title}>
        {t(hasSubscribers ? 'sales.title' : 'sales.titleBuyers')}
      </h2>
      <p className={classes.lead}>{t('sales.text')}</p>
      <SalesFigures sales={sales} hasSubscribers={hasSubscribers} />
      {hasSubscribers && <SubscribersChart sales={sales} csvUrl={csvUrl('subscribers')} />}
      {coupons.length > 0 && <Coupons sales={sales} csvUrl={csvUrl('coupons')} />}
    </section>
  );
}

function SubscribersChart({ sales, csvUrl }: { sales: SalesStatistics; csvUrl: string }) {
  const { t, locale } = useTranslation('statistics');
  const { evolution, subscribers, period } = sales;
  const number = (value: number) => formatNumber(value, locale);
  const count = (key: string, value: number) => t(key, { count: value, number: number(value) });
  const nameOf = (at: string) => longPoint(t, at, { granularity: period.granularity, locale });
  const columns = evolution.map((point) => {
    const changed = [
      ...(point.gained > 0 ? [count('sales.gainedMany', point.gained)] : []),
      ...(point.lost > 0 ? [count('sales.lostMany', point.lost)] : []),
    ];
    return {
      label: shortPoint(point.at, period.granularity, locale),
      value: point.subscribers,
      text: `${nameOf(point.at)}: ${count('sales.subscribersMany', point.subscribers)}`,
      ...(changed.length > 0 && { note: changed.join(' · ') }),
    };
  });
  return (
    <ChartFigure
      id="subscribers"
      title={t('sales.chart')}
      description={t('sales.chartText', {
        start: number(subscribers.start),
        end: count('sales.subscribersMany', subscribers.end),
        gained: count('sales.gainedMany', subscribers.gained),
        lost: count('sales.lostMany', subscribers.lost),
      })}
      table={{
        columns: [
          t('evolution.column.point'),
          ...['subscribers', 'gained', 'lost'].map((name) => t(`sales.column.${name}`)),
        ],
        rows: evolution.map((point) => [
          nameOf(point.at),
          ...[point.subscribers, point.gained, point.lost].map((value) => number(value)),
        ]),
      }}
      csvUrl={csvUrl}
    >
      <LineChart label={t('sales.chart')} columns={columns} formatNumber={number} />
    </ChartFigure>
  );
}

function Coupons({ sales: { coupons }, csvUrl }: { sales: SalesStatistics; csvUrl: string }) {
  const { t, locale } = useTranslation('statistics');
  const names = ['code', 'uses', 'revenue'].map((name) => t(`coupons.${name}`));
  return (
    <section className={classes.section} aria-labelledby="coupons">
      <h3 id="coupons" className={classes.title}>
        {t('coupons.title')}
      </h3>
      <p className={classes.lead}>{t('coupons.text')}</p>
      <StackedTable className={classes.table} columns={names}>
        {coupons.map(({ id, code, uses, usesBefore, revenue }) => (
          <tr key={id}>
            <th scope="row">{code}</th>
            <td data-label={names[1]}>
              {formatNumber(uses, locale)}
              <small className={classes.help}>{trendText(t, { now: uses, before: usesBefore }, locale)}</small>
            </td>
            <td data-label={names[2]}>
              {revenue.map(({ currency, now }) => formatMoney({ minor: now, currency }, locale)).join(' + ') || '–'}
            </td>
          </tr>
        ))}
      </StackedTable>
      <a className={classes.file} href={csvUrl} download aria-label={t('chart.csvOf', { title: t('coupons.title') })}>
        {t('chart.csv')}
      </a>
    </section>
  );
}
