import { formatNumber } from '../../base/formats';
import { formatMoney } from '../../base/money';
import type { MonthSales } from './month-sales';
import { monthName, type ReportPart, type Texts } from './report-text';

type Months = { month: string; monthBefore: string };

/** Subscribers and revenue of the month in plain sentences. */
export function salesPart({ subscribers, revenue }: MonthSales, months: Months, texts: Texts): ReportPart {
  const { t, locale } = texts;
  const hasSubscribers = subscribers.start + subscribers.gained > 0;
  const counted = (['end', 'gained', 'lost'] as const).map((key) => ({
    label: t(`mail:report.sales.${key}Label`),
    value: formatNumber(subscribers[key], locale),
  }));
  const paid = revenue.map(({ currency, now: minor }) => ({
    label: t('mail:report.sales.revenueLabel'),
    value: formatMoney({ minor, currency }, locale),
  }));
  return {
    title: t('mail:report.sales.title'),
    figures: [...(hasSubscribers ? counted : []), ...paid],
    sentences: [
      ...(hasSubscribers ? subscriberSentences(subscribers, months, texts) : []),
      ...revenue.map((sum) => revenueSentence(sum, months, texts)),
      t('mail:report.sales.note'),
    ],
    chart: null,
    bars: [],
  };
}

function subscriberSentences(
  { end, gained, lost }: MonthSales['subscribers'],
  { month }: Months,
  { t, locale }: Texts,
): string[] {
  const number = (value: number) => ({ count: value, number: formatNumber(value, locale) });
  return [
    t('mail:report.sales.end', { ...number(end), month: monthName(month, locale) }),
    gained === 0 ? t('mail:report.sales.gainedNone') : t('mail:report.sales.gained', number(gained)),
    lost === 0 ? t('mail:report.sales.lostNone') : t('mail:report.sales.lost', number(lost)),
  ];
}

function revenueSentence(
  { currency, now, before }: MonthSales['revenue'][number],
  { month, monthBefore }: Months,
  { t, locale }: Texts,
): string {
  return t('mail:report.sales.revenue', {
    amount: formatMoney({ minor: now, currency }, locale),
    month: monthName(month, locale),
    before: formatMoney({ minor: before, currency }, locale),
    monthBefore: monthName(monthBefore, locale),
  });
}
