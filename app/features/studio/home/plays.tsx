import { ChartFigure } from '~/app/components/charts/chart-figure';
import { LineChart } from '~/app/components/charts/line-chart';
import { SectionTitle } from '~/app/components/section-title';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber, numberFormat } from '~/server/base/formats';
import type { HomePlays } from '~/server/domain/statistics/home-plays';
import { percentChange } from '~/server/domain/statistics/rules';
import { longPoint, shortPoint } from '../statistics/dates';
import { noteOfStep, releaseNote } from '../statistics/release-note';
import classes from './home.module.css';

const total = ({ listens, downloads }: { listens: number; downloads: number }) => listens + downloads;

/** Plays of the last 30 days, compared with the 30 days before, by day and by product. */
export function Plays({ plays }: { plays: HomePlays | null }) {
  const { t } = useTranslation('studio');
  return (
    <section aria-labelledby="plays">
      <SectionTitle id="plays">{t('plays.title')}</SectionTitle>
      {plays ? <KnownPlays plays={plays} /> : <p>{t('plays.unavailable')}</p>}
    </section>
  );
}

function KnownPlays({ plays }: { plays: HomePlays }) {
  const { t, locale } = useTranslation('studio');
  const paths = usePaths();
  const number = numberFormat(locale);
  const change = percentChange(total(plays.last30), total(plays.before30));
  return (
    <>
      <div className={classes.figures}>
        <div className={classes.big}>
          <strong>{number.format(total(plays.last30))}</strong>
          <span>
            {change === null
              ? t('plays.noBefore')
              : t(change < 0 ? 'plays.down' : 'plays.up', { percent: Math.abs(change) })}
          </span>
        </div>
        <dl className={classes.small}>
          <Figure name={t('plays.today')} value={number.format(total(plays.today))} />
          <Figure name={t('plays.week')} value={number.format(total(plays.last7))} />
          <Figure name={t('plays.listens')} value={number.format(plays.last30.listens)} />
          <Figure name={t('plays.downloads')} value={number.format(plays.last30.downloads)} />
        </dl>
      </div>
      {plays.trend.some((day) => total(day) > 0) && <Trend trend={plays.trend} />}
      <p className={classes.more}>
        <Link to={paths.allStatistics}>{t('plays.all')}</Link>
      </p>
      <ByProduct products={plays.products} />
    </>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Plays by day. The last day is not over yet. */
function Trend({ trend }: { trend: HomePlays['trend'] }) {
  const { t, locale } = useTranslation('statistics');
  const paths = usePaths();
  const number = (value: number) => formatNumber(value, locale);
  const plays = (count: number) => t('plays', { count, number: number(count) });
  const nameOf = (day: string) => longPoint(t, day, { granularity: 'day', locale });
  const columns = trend.map((day) => ({
    label: shortPoint(day.day, 'day', locale),
    value: total(day),
    text: `${nameOf(day.day)}: ${plays(total(day))}`,
    ...noteOfStep(releaseNote(t, day.released, locale)),
  }));
  const best = [...trend].sort((a, b) => total(b) - total(a))[0]!;
  const all = trend.reduce((sum, day) => sum + total(day), 0);
  const title = t('evolution.title');
  return (
    <ChartFigure
      id="trend"
      title={title}
      description={t('evolution.text', { plays: plays(all), best: nameOf(best.day), most: plays(total(best)) })}
      strokes={columns.some(({ marks }) => marks) ? [{ line: 'mark', name: t('evolution.mark') }] : []}
      table={{
        columns: ['point', 'plays', 'listens', 'downloads'].map((name) => t(`evolution.column.${name}`)),
        rows: trend.map((day) => [nameOf(day.day), ...[total(day), day.listens, day.downloads].map(number)]),
      }}
      csvUrl={`${paths.allStatistics}/chart.csv?chart=evolution`}
    >
      <LineChart label={title} columns={columns} isLastOpen formatNumber={number} />
    </ChartFigure>
  );
}

function ByProduct({ products }: { products: HomePlays['products'] }) {
  const { t, locale } = useTranslation('studio');
  const studio = useStudio();
  const paths = usePaths();
  const number = numberFormat(locale);
  const rows = products.flatMap((row) => {
    const product = studio.products.find(({ id }) => id === row.id);
    return product ? [{ ...product, plays: row.plays }] : [];
  });
  return (
    <>
      <SectionTitle>{t('plays.byProduct')}</SectionTitle>
      <ul className={classes.products}>
        {rows.map((row) => (
          <li key={`${row.kind}-${row.id}`}>
            <Link to={paths.product(row)} prefetch="intent">
              <img src={row.picture} alt="" width={48} height={48} />
              <span>{row.name}</span>
              <strong>{number.format(row.plays)}</strong>
              <span className="hidden-visually">{t('plays.unit', { count: row.plays })}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
