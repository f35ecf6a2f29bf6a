import { Tabs } from '~/app/components/tabs';
import { usePaths } from '~/app/lib/paths';
import { NavLink } from '~/app/lib/router';
import { useMay, useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';

/** The sections of the settings, as links that work without JavaScript. */
export function SettingsTabs() {
  const { t } = useTranslation('account');
  const { user } = useStudio();
  const may = useMay();
  const paths = usePaths();
  return (
    <Tabs label={t('tabs.label')}>
      <NavLink to={paths.profile} end prefetch="intent">
        {t('tabs.profile')}
      </NavLink>
      <NavLink to={paths.billing} prefetch="intent">
        {t('tabs.billing')}
      </NavLink>
      <NavLink to={paths.subscriptions}>{t('tabs.subscriptions')}</NavLink>
      {user.creator && (
        <NavLink to={paths.plans} prefetch="intent">
          {t('tabs.plan')}
        </NavLink>
      )}
      {(user.creator || user.spotify.isOffered) && (
        <NavLink to={paths.spotify} prefetch="intent">
          {t('tabs.spotify')}
        </NavLink>
      )}
      <NavLink to={paths.notifications} prefetch="intent">
        {t('tabs.notifications')}
      </NavLink>
      <NavLink to={paths.security} prefetch="intent">
        {t('tabs.security')}
      </NavLink>
      {may('creator.manageKeys') && (
        <NavLink to={paths.developers} prefetch="intent">
          {t('tabs.developers')}
        </NavLink>
      )}
      <NavLink to={paths.ownData} prefetch="intent">
        {t('tabs.data')}
      </NavLink>
    </Tabs>
  );
}
