import { useRevalidator } from '@remix-run/react';
import { AddressLink } from '~/app/components/address-link';
import { useRetry } from '~/app/lib/offline';
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
  const problem = PROBLEMS[status] ?? 'unexpected';
  return (
    <SiteShell>
      <div className="wrap error-page">
        <p className="code" aria-hidden="true">
          {status}
        </p>
        <h1>{t(`errorPage.${problem}`, { code: status })}</h1>
        <p className="lead">{t(`errorPage.${problem}Help`)}</p>
        <AddressLink className="button" href={appUrl + paths.home}>
          {t('errorPage.home')}
        </AddressLink>
      </div>
    </SiteShell>
  );
}

/** A page that could not be loaded without a connection. It loads in place once the connection is back. */
export function OfflinePage() {
  const { t } = useTranslation();
  const { revalidate } = useRevalidator();
  useRetry(true, revalidate);
  return (
    <SiteShell>
      <div className="wrap error-page">
        <h1>{t('errorPage.offline')}</h1>
        <p className="lead">{t('errorPage.offlineHelp')}</p>
        <button type="button" className="button" onClick={revalidate}>
          {t('errorPage.retry')}
        </button>
      </div>
    </SiteShell>
  );
}
