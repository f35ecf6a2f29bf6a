import { useTranslation } from '~/app/lib/translation';
import type { Translate } from '~/locales/translate';
import { formatNumber, type Locale } from '~/server/base/formats';
import { DAYS, HOURS, later } from '~/server/base/time';
import classes from './statistics.module.css';
import type { EpisodeStart } from './view';

/** The first times of an episode that are compared. */
export const STARTS = [
  { name: 'first24h', length: HOURS(24) },
  { name: 'first7d', length: DAYS(7) },
  { name: 'first30d', length: DAYS(30) },
] as const;
type Start = (typeof STARTS)[number];

type Reader = { t: Translate; locale: Locale; now: Date };

/** The plays of an episode's first time; those of a time that is not over are marked. */
export function startText(figures: EpisodeStart, { name, length }: Start, { t, locale, now }: Reader): string {
  const plays = figures[name];
  if (plays === null) return '–';
  const isOver = later(figures.releasedAt, length) <= now;
  const number = formatNumber(plays, locale);
  return isOver ? number : t('episodes.soFar', { number });
}

/** How an episode started, and all its plays. */
export function StartFigures({ figures, now }: { figures: EpisodeStart; now: Date }) {
  const { t, locale } = useTranslation('statistics');
  return (
    <dl className={classes.totals}>
      {STARTS.map((start) => (
        <div key={start.name}>
          <dt>{t(`start.${start.name}`)}</dt>
          <dd>{startText(figures, start, { t, locale, now })}</dd>
        </div>
      ))}
      <div>
        <dt>{t('episodes.total')}</dt>
        <dd>{formatNumber(figures.total, locale)}</dd>
      </div>
    </dl>
  );
}
