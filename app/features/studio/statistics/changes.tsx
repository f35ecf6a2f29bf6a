import { useTranslation } from '~/app/lib/translation';
import type { Translate } from '~/locales/translate';
import { formatNumber, type Locale } from '~/server/base/formats';
import { longDay, longDays } from './dates';
import classes from './statistics.module.css';
import type { Change, StatisticsView } from './view';

/** What was corrected: figures never change silently. */
export function Changes({ changes }: { changes: Change[] }) {
  const { t, locale } = useTranslation('statistics');
  if (changes.length === 0) return null;
  return (
    <section className={classes.changes} aria-labelledby="changes">
      <h3 id="changes">{t('change.title')}</h3>
      <ul>
        {changes.map((change) => (
          <li key={`${change.day} ${change.from} ${change.reason}`}>{changeText(change, { t, locale })}</li>
        ))}
      </ul>
    </section>
  );
}

export function changeText(
  { day, from, to, reason, listens, downloads }: Change,
  { t, locale }: { t: Translate; locale: Locale },
): string {
  const grown = listens + downloads;
  const count = Math.abs(grown);
  const facts = { count, number: formatNumber(count, locale), day: longDay(day, locale) };
  const days = longDays(t, { from, to }, locale);
  if (grown === 0) return t('change.same', { ...facts, days });
  if (grown > 0) return t('change.added', { ...facts, days });
  return t(reason === 'machines' && listens === 0 ? 'change.machines' : 'change.removed', { ...facts, days });
}

/** Whether a local day belongs to a point of the chart. */
export function isIn({ evolution, period }: StatisticsView, point: number, day: string): boolean {
  const [at, next] = [evolution[point]?.at, evolution[point + 1]?.at];
  return at !== undefined && day >= at && (next === undefined ? day <= period.to : day < next);
}
