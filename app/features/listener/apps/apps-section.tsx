import { Section } from '~/app/components/page-header';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

/** Leads from the settings to the apps that are connected to the creator for whom the user works. */
export function AppsSection() {
  const { t } = useTranslation('apps');
  const paths = usePaths();
  return (
    <Section title={t('title')}>
      <p>{t('lead')}</p>
      <p>
        <Link to={paths.connectedApps}>{t('see')}</Link>
      </p>
    </Section>
  );
}
