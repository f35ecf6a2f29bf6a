import type { ReactNode } from 'react';
import { type Bar, BarList } from '~/app/components/charts/bar-list';
import { ChartFigure } from '~/app/components/charts/chart-figure';
import { WorldMap } from '~/app/components/charts/world-map';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { Dimension } from '~/db/values/statistics';
import { formatNumber } from '~/server/base/formats';
import { longMonths } from './dates';
import classes from './statistics.module.css';
import { shareText } from './trend';
import type { NamedSlice, StatisticsView } from './view';

/** `filterBy` leads to the same page for one value; undefined where nothing can be filtered. */
type Props = {
  view: StatisticsView;
  csvUrl: (chart: string) => string;
  filterBy?: (dimension: 'country' | 'app', key: string) => string;
};

const OTHERS = ['app', 'device', 'os', 'source', 'referrer', 'region'] as const;
/** The table has all of them. */
const SHOWN = 8;
/** Values that are not a place, an app or a device. */
const isVague = ({ key }: NamedSlice) => ['other', 'unknown', 'ZZ'].includes(key);

/** Where the plays come from: a map and bars for countries, and bars for the rest. */
export function Breakdowns({ view, csvUrl, filterBy }: Props) {
  const { t, locale } = useTranslation('statistics');
  const { breakdown, breakdownPeriod } = view;
  const others = OTHERS.filter((dimension) => breakdown[dimension]?.some((slice) => slice.key !== 'unknown'));
  const props = { view, filterBy };
  const counted = breakdown.country?.reduce((sum, { plays }) => sum + plays, 0);
  return (
    <>
      {breakdownPeriod && (
        <p className={classes.note}>{t('breakdown.months', { days: longMonths(t, breakdownPeriod, locale) })}</p>
      )}
      {!breakdownPeriod && view.period.zone !== 'UTC' && counted !== view.totals.plays && (
        <p className={classes.note}>{t('breakdown.utc')}</p>
      )}
      <Breakdown dimension="country" csvUrl={csvUrl('country')} {...props} />
      <div className={classes.pairs}>
        {others.map((dimension) => (
          <Breakdown key={dimension} dimension={dimension} csvUrl={csvUrl(dimension)} {...props} />
        ))}
      </div>
    </>
  );
}

type OneProps = Omit<Props, 'csvUrl'> & { dimension: Dimension; csvUrl: string };

function Breakdown({ view, dimension, csvUrl, filterBy }: OneProps) {
  const { t, locale } = useTranslation('statistics');
  const slices = view.breakdown[dimension];
  if (!slices || slices.length === 0) return null;
  const number = (value: number) => formatNumber(value, locale);
  const all = slices.reduce((sum, { plays }) => sum + plays, 0);
  const description = t('breakdown.text', {
    plays: t('plays', { count: all, number: number(all) }),
    parts: largest(slices)
      .map((slice) =>
        t(`part.${dimension}`, { name: slice.name, value: shareText(t, { plays: slice.plays, all }, locale) }),
      )
      .join(' · '),
  });
  const canFilter = dimension === 'country' || dimension === 'app' ? dimension : null;
  const bars = slices.slice(0, SHOWN).map(
    (slice): Bar => ({
      key: slice.key,
      name: slice.name,
      value: slice.plays,
      text: number(slice.plays),
      link:
        canFilter && filterBy && !isVague(slice)
          ? (name: ReactNode) => (
              <Link
                to={filterBy(canFilter, slice.key)}
                preventScrollReset
                aria-label={t('filter.by', { name: slice.name })}
              >
                {name}
              </Link>
            )
          : undefined,
    }),
  );
  const places = slices.map(({ key, name, plays }) => ({ key, value: plays, text: `${name}: ${number(plays)}` }));
  const title = t(`dimension.${dimension}`);
  return (
    <ChartFigure
      id={dimension}
      title={title}
      description={description}
      table={{
        columns: [title, t('total.plays')],
        rows: slices.map(({ name, plays }) => [name, number(plays)]),
      }}
      csvUrl={csvUrl}
    >
      {dimension === 'country' ? (
        <div className={classes.mapPair}>
          <div>
            <WorldMap description={description} unit={t('total.plays')} places={places} formatNumber={number} />
          </div>
          <BarList label={title} bars={bars} />
        </div>
      ) : (
        <BarList label={title} bars={bars} />
      )}
    </ChartFigure>
  );
}

/** The three largest; vague ones only where nothing else is known. */
function largest(slices: NamedSlice[]): NamedSlice[] {
  const known = slices.filter((slice) => !isVague(slice));
  return (known.length > 0 ? known : slices).slice(0, 3);
}
