import { useTranslation } from '~/app/lib/translation';
import type { Translate } from '~/locales/translate';
import { formatNumber, type Locale } from '~/server/base/formats';
import { formatMoney } from '~/server/base/money';
import type { SalesStatistics } from '~/server/domain/statistics/sales-statistics';
import type { SubscriberFigures } from '~/server/domain/statistics/subscriber-figures';
import classes from './statistics.module.css';
import { moneyTrendText, trendText } from './trend';

type Props = { sales: SalesStatistics; hasSubscribers: boolean };
type Figure = { key: string; name: string; value: string; help?: string };
type Reader = { t: Translate; locale: Locale };

/** From here on, a churn is a percentage: below, one person is more than a per cent. */
const CHURN_PERCENT_FROM = 100;

/** The sums of the period, each compared with the period before. Amounts of several currencies stay apart. */
export function SalesFigures({ sales, hasSubscribers }: Props) {
  const { t, locale } = useTranslation('statistics');
  const figures = [
    ...(hasSubscribers ? subscriberFigures(sales, { t, locale }) : []),
    ...moneyFigures(sales, { t, locale }),
    ...(sales.people === null
      ? []
      : [
          {
            key: 'people',
            name: t('sales.people'),
            value: formatNumber(sales.people, locale),
            help: t('sales.peopleHelp'),
          },
        ]),
  ];
  return (
    <dl className={classes.totals}>
      {figures.map(({ key, name, value, help }) => (
        <div key={key}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          {help && <dd className={classes.help}>{help}</dd>}
        </div>
      ))}
    </dl>
  );
}

function subscriberFigures({ subscribers, subscribersBefore }: SalesStatistics, { t, locale }: Reader): Figure[] {
  const compared = (['end', 'gained', 'lost'] as const).map((key) => ({
    key,
    name: t(`sales.${key}`),
    value: formatNumber(subscribers[key], locale),
    help: trendText(t, { now: subscribers[key], before: subscribersBefore[key] }, locale),
  }));
  const before = churnText(subscribersBefore, { t, locale });
  const churn = {
    key: 'churn',
    name: t('sales.churn'),
    value: churnText(subscribers, { t, locale }),
    help: t('sales.churnBefore', { churn: before }),
  };
  return [...compared, churn];
}

/** Few subscribers are people, not per cent. */
export function churnText({ start, lost, churn }: SubscriberFigures, { t, locale }: Reader): string {
  if (churn === null) return '–';
  if (start < CHURN_PERCENT_FROM)
    return t('sales.churnOf', { lost: formatNumber(lost, locale), start: formatNumber(start, locale) });
  return t('share', { percent: formatNumber(churn * 100, locale, { maximumFractionDigits: 1 }) });
}

function moneyFigures({ revenue, perSubscriber }: SalesStatistics, { t, locale }: Reader): Figure[] {
  return [
    ...revenue.filter(({ now, before }) => now !== 0 || before !== 0).map((sum) => ({ kind: 'revenue', ...sum })),
    ...perSubscriber.map((sum) => ({ kind: 'perSubscriber', ...sum })),
  ].map(({ kind, currency, now, before }) => ({
    key: `${kind} ${currency}`,
    name: t(`sales.${kind}`),
    value: now === null ? '–' : formatMoney({ minor: now, currency }, locale),
    ...(now !== null && before !== null && { help: moneyTrendText(t, { now, before }, locale) }),
  }));
}
