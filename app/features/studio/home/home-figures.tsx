import figures from '~/app/components/figures.module.css';
import { moneyTrendText, trendText } from '~/app/features/studio/statistics/trend';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import { formatMoney } from '~/server/base/money';
import type { HomeFigures as Figures, Trend } from '~/server/domain/statistics/home-figures';
import type { MoneyTrend } from '~/server/domain/statistics/revenue';
import classes from './home.module.css';

type People = ({ total: number } & Trend) | null;

/** People and money at a glance, with what is new in 30 days. Figures that the member may not see are missing. */
export function HomeFigures({ figures: { customers, sales, contacts, donations } }: { figures: Figures }) {
  const { t } = useTranslation('studio');
  const { user } = useStudio();
  const paths = usePaths();
  const donors = user.creator ? paths.donors(user.creator.id) : undefined;
  return (
    <section aria-label={t('figures.title')}>
      <dl className={classes.people}>
        <PeopleFigure name={t('figures.customers')} people={customers} />
        <MoneyFigure name={t('figures.sales')} sums={sales} to={paths.money} />
        <PeopleFigure name={t('figures.contacts')} people={contacts} />
        <MoneyFigure name={t('figures.donations')} sums={donations} to={donors} />
      </dl>
    </section>
  );
}

function PeopleFigure({ name, people }: { name: string; people: People }) {
  const { t, locale } = useTranslation('studio');
  const { t: tTrend } = useTranslation('statistics');
  if (people === null) return null;
  const { total, now, before } = people;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{formatNumber(total, locale)}</dd>
      <dd className={figures.help}>
        {t('figures.new', { count: now, number: formatNumber(now, locale) })}
        {now + before > 0 && ` · ${trendText(tTrend, { now, before }, locale)}`}
      </dd>
    </div>
  );
}

/** The first currency is compared, because sums of several have no common trend. */
function MoneyFigure({ name, sums, to }: { name: string; sums: MoneyTrend[] | null; to: string | undefined }) {
  const { t, locale } = useTranslation('statistics');
  const [main] = sums ?? [];
  if (!sums || !main) return null;
  const trend = moneyTrendText(t, main, locale);
  const value = sums.map(({ currency, now }) => formatMoney({ minor: now, currency }, locale)).join(' + ');
  return (
    <div>
      <dt>{name}</dt>
      <dd>{to ? <Link to={to}>{value}</Link> : value}</dd>
      {trend && <dd className={figures.help}>{trend}</dd>}
    </div>
  );
}
