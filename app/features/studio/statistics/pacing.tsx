import { BandChart } from '~/app/components/charts/band-chart';
import { ChartFigure } from '~/app/components/charts/chart-figure';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import { STATISTICS_LIMITS } from '~/server/limits/statistics';
import type { Pacing as PacingView } from './view';

/** Columns of six hours: 28 for a week. */
const STEP = 6;
/** A median of two episodes says nothing. */
const COMPARED_FROM = 3;

/** An episode's first week against the show's usual one. */
export function Pacing({ pacing, csvUrl }: { pacing: PacingView; csvUrl: string }) {
  const { t, locale } = useTranslation('statistics');
  const number = (value: number) => formatNumber(Math.round(value), locale);
  const { hours, others, compared } = pacing;
  if (hours.length === 0) return null;
  const isUsual = compared >= COMPARED_FROM;
  const none: number[] = [];
  const usual = isUsual
    ? { lower: everySixth(others.lower), median: everySixth(others.median), upper: everySixth(others.upper) }
    : { lower: none, median: none, upper: none };
  const own = everySixth(hours);
  const length = Math.max(own.length, usual.median.length);
  const columns = Array.from({ length }, (_, i) => {
    const after = t('pacing.after', { number: number((i + 1) * STEP) });
    const plays = own[i];
    const value = plays === undefined ? t('pacing.notYet') : t('plays', { count: plays, number: number(plays) });
    return {
      label: t('pacing.day', { number: number(Math.floor((i * STEP) / 24) + 1) }),
      value: plays ?? null,
      text: `${after}: ${value}`,
      row: [
        after,
        plays === undefined ? '–' : number(plays),
        ...quartilesAt(usual, i).map((at) => (at === undefined ? '–' : number(at))),
      ],
    };
  });
  const last = hours.length - 1;
  const now = hours[last] ?? 0;
  const facts = {
    plays: t('plays', { count: now, number: number(now) }),
    span:
      hours.length === STATISTICS_LIMITS.pacingHours
        ? t('pacing.span.week')
        : t('pacing.span.hours', { count: hours.length, number: number(hours.length) }),
    compared: number(compared),
  };
  const [lower, , upper] = quartilesAt(others, last);
  const isCompared = isUsual && lower !== undefined && upper !== undefined;
  return (
    <ChartFigure
      id="pacing"
      title={t('pacing.title')}
      description={t(isCompared ? 'pacing.text' : 'pacing.alone', {
        ...facts,
        lower: number(lower ?? 0),
        upper: number(upper ?? 0),
      })}
      strokes={[
        { line: 'now', name: t('pacing.own') },
        ...(isUsual
          ? ([
              { line: 'before', name: t('pacing.median') },
              { line: 'band', name: t('pacing.band') },
            ] as const)
          : []),
      ]}
      table={{
        columns: ['hours', 'own', 'lower', 'median', 'upper'].map((name) => t(`pacing.column.${name}`)),
        rows: columns.map(({ row }) => row),
      }}
      csvUrl={csvUrl}
    >
      <BandChart label={t('pacing.title')} columns={columns} usual={usual} formatNumber={number} />
    </ChartFigure>
  );
}

/** The value at the end of each step, and the last one of a step that is not over. */
function everySixth(hours: readonly number[]): number[] {
  const steps = Math.ceil(hours.length / STEP);
  return Array.from({ length: steps }, (_, i) => hours[Math.min(hours.length, (i + 1) * STEP) - 1] ?? 0);
}

const quartilesAt = ({ lower, median, upper }: PacingView['others'], at: number) => [lower[at], median[at], upper[at]];
