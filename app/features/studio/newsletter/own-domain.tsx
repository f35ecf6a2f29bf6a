import { Alert } from '~/app/components/alert';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { NewsletterView } from '~/server/domain/newsletter/newsletter-settings';
import classes from './sending-domains.module.css';

type Props = { newsletter: Pick<NewsletterView, 'from' | 'lostDomain'> };

/** Tells that the creator's own domain is not in use any more. */
export function LostDomain({ newsletter: { from, lostDomain } }: Props) {
  const { t } = useTranslation('sending');
  const paths = usePaths();
  const may = useMay();
  if (lostDomain === null) return null;
  return (
    <Alert color="yellow" variant="light" mb={24} title={t('lost.title')}>
      <p>{t('lost.text', { domain: lostDomain, platform: from })}</p>
      {may('creator.manageDomains') && <Link to={paths.sendingDomain}>{t('lost.open')}</Link>}
    </Alert>
  );
}

/** Leads the owner to the page of their own domain. */
export function OwnDomainLink() {
  const { t } = useTranslation('sending');
  const paths = usePaths();
  const may = useMay();
  if (!may('creator.manageDomains')) return null;
  return (
    <p className={classes.link}>
      {t('link.text')} <Link to={paths.sendingDomain}>{t('link.open')}</Link>
    </p>
  );
}
