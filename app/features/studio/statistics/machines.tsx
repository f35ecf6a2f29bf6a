import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import classes from './statistics.module.css';
import type { NamedSlice, StatisticsView } from './view';

/** The requests that no figure contains, and why: a quiet line that can be opened. */
export function Machines({ machines }: { machines: StatisticsView['machines'] }) {
  const { t, locale } = useTranslation('statistics');
  if (!machines || machines.requests === 0) return null;
  return (
    <details className={classes.machines}>
      <summary>
        {t('machines.title', { count: machines.requests, number: formatNumber(machines.requests, locale) })}
      </summary>
      <p>{t('machines.text')}</p>
      <Slices slices={machines.reasons} />
      <Slices slices={machines.agents} />
    </details>
  );
}

function Slices({ slices }: { slices: NamedSlice[] }) {
  const { locale } = useTranslation('statistics');
  return (
    <ul>
      {slices.map(({ key, name, plays }) => (
        <li key={key}>
          <span dir="auto">{name}</span> <span>{formatNumber(plays, locale)}</span>
        </li>
      ))}
    </ul>
  );
}
