import { csvResponse } from '~/app/lib/csv-response.server';
import { csvLine } from '~/server/base/csv';
import { toDecimal } from '~/server/base/money';
import type { SalesStatistics } from '~/server/domain/statistics/sales-statistics';

/** The charts whose values only members with the right to see money may download. */
const SALES_CHARTS = ['subscribers', 'coupons'] as const;
type SalesChart = (typeof SALES_CHARTS)[number];

export const salesChart = ({ searchParams }: URL): SalesChart | undefined =>
  SALES_CHARTS.find((name) => name === searchParams.get('chart'));

/** A file with the values of a chart. The names of its columns are the same in all languages. */
export function salesCsv(chart: SalesChart, { evolution, coupons, period: { from, to } }: SalesStatistics): Response {
  const rows = chart === 'subscribers' ? subscriberRows(evolution) : couponRows(coupons);
  return csvResponse(`${chart}-${from}-${to}.csv`, linesOf(rows));
}

type Cells = (string | number)[];

async function* linesOf(rows: Cells[]): AsyncGenerator<string, void> {
  yield rows.map(csvLine).join('');
}

const subscriberRows = (evolution: SalesStatistics['evolution']): Cells[] => [
  ['from', 'subscribers', 'gained', 'lost'],
  ...evolution.map(({ at, subscribers, gained, lost }) => [at, subscribers, gained, lost]),
];

/** A line for each currency of a coupon. */
const couponRows = (coupons: SalesStatistics['coupons']): Cells[] => [
  ['code', 'uses', 'before_uses', 'currency', 'revenue', 'before_revenue'],
  ...coupons.flatMap(({ code, uses, usesBefore, revenue }) =>
    revenue.length === 0
      ? [[code, uses, usesBefore, '', '', '']]
      : revenue.map(({ currency, now, before }) => [
          ...[code, uses, usesBefore, currency, toDecimal(now), toDecimal(before)],
        ]),
  ),
];
