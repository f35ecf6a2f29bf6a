import { BarList } from '~/app/components/charts/bar-list';
import { ChartFigure } from '~/app/components/charts/chart-figure';
import { LineChart } from '~/app/components/charts/line-chart';
import { type ProductRef, usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import type { ShownLive } from './live-data.server';
import classes from './statistics.module.css';

type Named = { key: string; name: string; plays: number };

/** The last 60 minutes: plays, the episodes that are played, and where. */
export function Live({ live, show }: { live: ShownLive; show: ProductRef }) {
  const { t, locale } = useTranslation('statistics');
  const paths = usePaths();
  const number = (value: number) => formatNumber(value, locale);
  const { time, zone, plays, columns, episodes, countries, quiet } = live;
  return (
    <>
      <dl className={classes.totals} aria-live="polite">
        <div>
          <dt>{t('live.plays')}</dt>
          <dd>{number(plays)}</dd>
          <dd className={classes.help}>{t('live.asOf', { time, zone })}</dd>
        </div>
      </dl>
      {plays === 0 ? (
        <div className={classes.quiet}>
          <p>{t('live.none')}</p>
          {quiet?.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          <p>
            <Link to={paths.statistics(show)}>{t('live.all')}</Link>
          </p>
        </div>
      ) : (
        <ChartFigure
          id="live"
          title={t('live.chart')}
          description={t('live.text', { plays: t('plays', { count: plays, number: number(plays) }) })}
          table={{
            columns: [t('live.minute'), t('total.plays')],
            rows: columns.map(({ label, value }) => [label, number(value)]),
          }}
        >
          <LineChart label={t('live.chart')} columns={columns} isLastOpen formatNumber={number} />
        </ChartFigure>
      )}
      <div className={classes.pairs}>
        <Largest id="episodes" title={t('live.episodes')} rows={episodes} />
        <Largest id="countries" title={t('dimension.country')} rows={countries} />
      </div>
      <noscript>
        <p className={classes.note}>{t('live.reload')}</p>
      </noscript>
    </>
  );
}

function Largest({ id, title, rows }: { id: string; title: string; rows: Named[] }) {
  const { t, locale } = useTranslation('statistics');
  const [first] = rows;
  if (!first) return null;
  const number = (value: number) => formatNumber(value, locale);
  return (
    <ChartFigure
      id={id}
      title={title}
      description={`${first.name}: ${t('plays', { count: first.plays, number: number(first.plays) })}`}
      table={{ columns: [title, t('total.plays')], rows: rows.map(({ name, plays }) => [name, number(plays)]) }}
    >
      <BarList
        label={title}
        bars={rows.map(({ key, name, plays }) => ({ key, name, value: plays, text: number(plays) }))}
      />
    </ChartFigure>
  );
}
