import { STARTS, startText } from '~/app/lib/start-text';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import classes from './statistics.module.css';
import type { EpisodeStart } from './view';

/** How an episode started, and all its plays. */
export function StartFigures({ figures, now }: { figures: EpisodeStart; now: Date }) {
  const { t, locale } = useTranslation('statistics');
  return (
    <dl className={classes.totals}>
      {STARTS.map(({ name }) => (
        <div key={name}>
          <dt>{t(`start.${name}`)}</dt>
          <dd>{startText(figures, name, { t, locale, now })}</dd>
        </div>
      ))}
      <div>
        <dt>{t('episodes.total')}</dt>
        <dd>{formatNumber(figures.total, locale)}</dd>
      </div>
    </dl>
  );
}
