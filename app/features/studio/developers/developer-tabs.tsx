import { TabLead } from '~/app/components/page-header';
import { Tabs } from '~/app/components/tabs';
import { usePaths } from '~/app/lib/paths';
import { NavLink } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { DEVELOPER_PAGES } from '~/server/policy/studio-pages';

/** The head of the pages for developers, with links to each of them. */
export function DeveloperTabs() {
  const { t } = useTranslation('developers');
  const paths = usePaths();
  return (
    <>
      <TabLead title={t('title')} help="createKey">
        {t('lead')} <a href={paths.apiDocs}>{t('docs')}</a>
      </TabLead>
      <Tabs label={t('tabs.label')}>
        {DEVELOPER_PAGES.map(({ name, path }) => (
          <NavLink key={name} to={`${paths.profile}/${path}`} end prefetch="intent">
            {t(`tabs.${name}`)}
          </NavLink>
        ))}
      </Tabs>
    </>
  );
}
