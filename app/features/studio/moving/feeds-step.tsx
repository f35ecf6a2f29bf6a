import { VisuallyHidden } from '@mantine/core';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { LeavingShow } from '~/server/domain/moving/redirects/queries';
import classes from './moving.module.css';
import { Step } from './step';

/** Every show with the target of its feed. */
export function FeedsStep({ shows }: { shows: LeavingShow[] }) {
  const { t } = useTranslation('moving');
  const paths = usePaths();
  return (
    <Step title={t('feeds.title')}>
      <p className={classes.text}>{t('feeds.text')}</p>
      {shows.length === 0 ? (
        <p className={classes.soft}>{t('feeds.none')}</p>
      ) : (
        <ul className={classes.shows}>
          {shows.map((show) => (
            <li key={show.id}>
              <span className={classes.show} dir="auto">
                {show.name}
              </span>
              <span className={classes.soft} data-done={show.redirect !== null || undefined}>
                {show.redirect ? t('feeds.redirects', { url: show.redirect.url }) : t('feeds.here')}
              </span>
              <Link to={paths.redirectFeed(show)}>
                {t(show.redirect ? 'feeds.look' : 'feeds.redirect')}
                <VisuallyHidden>{show.name}</VisuallyHidden>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Step>
  );
}
