import { PageHeader } from '~/app/components/page-header';
import { SettingsTabs } from '~/app/features/listener/account/settings-tabs';
import { Outlet } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

export default function SettingsLayout() {
  const { t } = useTranslation('account');
  return (
    <>
      <PageHeader title={t('title')} />
      <SettingsTabs />
      <Outlet />
    </>
  );
}
