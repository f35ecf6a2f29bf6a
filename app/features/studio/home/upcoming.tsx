import { SectionTitle } from '~/app/components/section-title';
import { Releases } from '~/app/features/studio/calendar/month';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { Release } from '~/server/domain/episodes/calendar';
import classes from './home.module.css';

/** The next scheduled episodes. */
export function Upcoming({ releases }: { releases: Release[] }) {
  const { t } = useTranslation('team');
  const paths = usePaths();
  return (
    <section aria-labelledby="upcoming" className={classes.upcoming}>
      <SectionTitle id="upcoming">{t('upcoming.title')}</SectionTitle>
      {releases.length === 0 ? <p className="muted">{t('upcoming.none')}</p> : <Releases releases={releases} withDay />}
      <p className={classes.calendar}>
        <Link to={paths.calendar}>{t('upcoming.calendar')}</Link>
      </p>
    </section>
  );
}
