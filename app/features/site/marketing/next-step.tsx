import { useViewer } from '~/app/lib/root-data';
import { Link } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';

/** The next step of a page that presents Altavoz: signing up, or the way back to the studio or the feed. */
export function NextStep() {
  const { t } = useTranslation('marketing');
  const paths = useSitePaths();
  const viewer = useViewer();
  return (
    <p className="actions">
      {viewer ? (
        <Link className="button" to={viewer.usesStudio ? paths.dashboard : paths.myFeed}>
          {t(viewer.usesStudio ? 'home.toStudio' : 'home.toFeed')}
        </Link>
      ) : (
        <Link className="button" to={paths.register(paths.claimPage)}>
          {t('home.start')}
        </Link>
      )}
      {!viewer && <span className="muted">{t('home.free')}</span>}
    </p>
  );
}
