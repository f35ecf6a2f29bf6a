import { useTranslation } from '~/app/lib/translation';

/** On every page of a production server whose payments are a sandbox. */
export function SandboxBanner() {
  const { t } = useTranslation();
  return (
    <p className="sandbox-banner" role="note">
      {t('sandbox')}
    </p>
  );
}
