import { SectionTitle } from '~/app/components/section-title';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { formatDate, numberFormat } from '~/server/base/formats';
import type { Overview } from '~/server/domain/listening/queries';
import classes from './home.module.css';
import { percentChange } from './percent-change';

const total = ({ listens, downloads }: { listens: number; downloads: number }) => listens + downloads;

/** Plays of the last 30 days, compared with the 30 days before, by day and by product. */
export function Plays({ overview }: { overview: Overview }) {
  const { t, locale } = useTranslation('studio');
  const number = numberFormat(locale);
  const change = percentChange(total(overview.last30), total(overview.before30));
  return (
    <section aria-labelledby="plays">
      <SectionTitle id="plays">{t('plays.title')}</SectionTitle>
      <div className={classes.figures}>
        <div className={classes.big}>
          <strong>{number.format(total(overview.last30))}</strong>
          <span>
            {change === null
              ? t('plays.noBefore')
              : t(change < 0 ? 'plays.down' : 'plays.up', { percent: Math.abs(change) })}
          </span>
        </div>
        <dl className={classes.small}>
          <Figure name={t('plays.today')} value={number.format(total(overview.today))} />
          <Figure name={t('plays.week')} value={number.format(total(overview.last7))} />
          <Figure name={t('plays.listens')} value={number.format(overview.last30.listens)} />
          <Figure name={t('plays.downloads')} value={number.format(overview.last30.downloads)} />
        </dl>
      </div>
      {overview.trend.some((day) => total(day) > 0) && <Trend trend={overview.trend} />}
      <ByProduct products={overview.products} />
    </section>
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

/** A bar chart by day, with the same data as a table for screen readers. */
function Trend({ trend }: { trend: Overview['trend'] }) {
  const { t, locale } = useTranslation('studio');
  const most = Math.max(1, ...trend.map(total));
  const formatDay = (day: string) =>
    formatDate(new Date(day), locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const step = 100 / trend.length;
  return (
    <figure className={classes.trend}>
      <svg viewBox="0 0 100 40" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        {trend.map((day, i) => {
          const height = total(day) === 0 ? 0.6 : Math.max(1.5, (total(day) / most) * 40);
          return (
            <rect
              key={day.day}
              x={i * step + step * 0.15}
              y={40 - height}
              width={step * 0.7}
              height={height}
              data-empty={total(day) === 0 || undefined}
            >
              <title>{`${formatDay(day.day)}: ${total(day)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption>
        <span>{formatDay(trend[0]?.day ?? '')}</span>
        <span>{formatDay(trend.at(-1)?.day ?? '')}</span>
      </figcaption>
      <div className="hidden-visually">
        <table>
          <caption>{t('plays.table')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('plays.day')}</th>
              <th scope="col">{t('plays.listens')}</th>
              <th scope="col">{t('plays.downloads')}</th>
            </tr>
          </thead>
          <tbody>
            {trend.map((day) => (
              <tr key={day.day}>
                <th scope="row">{formatDay(day.day)}</th>
                <td>{day.listens}</td>
                <td>{day.downloads}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

function ByProduct({ products }: { products: Overview['products'] }) {
  const { t, locale } = useTranslation('studio');
  const studio = useStudio();
  const paths = usePaths();
  const number = numberFormat(locale);
  const rows = products.flatMap((row) => {
    const product = studio.products.find(({ id }) => id === row.id);
    return product ? [{ ...product, plays: total(row) }] : [];
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
