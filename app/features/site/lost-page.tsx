import { AddressLink } from '~/app/components/address-link';
import { useAppUrl } from '~/app/lib/host';
import { usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import { SiteShell } from './site-shell';

const KEYS: Record<number, string> = { 401: 'lost.forbidden', 403: 'lost.forbidden', 404: 'lost.notFound' };

/** Spec §8's three sentences for what can't be shown, and the way out. The player goes on below it. */
export function LostPage({ status }: { status: number }) {
  const { t } = useTranslation();
  const appUrl = useAppUrl();
  const paths = usePaths();
  return (
    <SiteShell>
      <div className="wrap lost">
        <p className="code" aria-hidden="true">
          {status}
        </p>
        <h1>{t(KEYS[status] ?? 'lost.error', { code: status })}</h1>
        <p className="lead">{t(status === 404 ? 'lost.notFoundHelp' : 'lost.errorHelp')}</p>
        <AddressLink className="button" href={appUrl + paths.home}>
          {t('lost.home')}
        </AddressLink>
      </div>
    </SiteShell>
  );
}
