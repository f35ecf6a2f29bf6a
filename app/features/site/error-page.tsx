import { AddressLink } from '~/app/components/address-link';
import { usePaths } from '~/app/lib/paths';
import { useAppUrl } from '~/app/lib/root-data';
import { useTranslation } from '~/app/lib/translation';
import { SiteShell } from './site-shell';

const PROBLEMS: Record<number, string> = { 401: 'forbidden', 403: 'forbidden', 404: 'notFound' };

/** The error sentences of spec §8, with the next step. The player keeps playing below. */
export function ErrorPage({ status }: { status: number }) {
  const { t } = useTranslation();
  const appUrl = useAppUrl();
  const paths = usePaths();
  const offline = status === 500 && isOffline();
  const problem = offline ? 'offline' : (PROBLEMS[status] ?? 'unexpected');
  return (
    <SiteShell>
      <div className="wrap error-page">
        {!offline && (
          <p className="code" aria-hidden="true">
            {status}
          </p>
        )}
        <h1>{t(`errorPage.${problem}`, { code: status })}</h1>
        <p className="lead">{t(`errorPage.${problem}Help`)}</p>
        {offline ? (
          <button type="button" className="button" onClick={() => window.location.reload()}>
            {t('errorPage.retry')}
          </button>
        ) : (
          <AddressLink className="button" href={appUrl + paths.home}>
            {t('errorPage.home')}
          </AddressLink>
        )}
      </div>
    </SiteShell>
  );
}

/** A request that never reached the server has no status, so the boundary reports it as a 500. */
function isOffline(): boolean {
  return typeof navigator !== 'undefined' && navigator.onLine === false;
}
