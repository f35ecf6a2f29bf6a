import { Tabs } from '~/app/components/tabs';
import { usePaths } from '~/app/lib/paths';
import { NavLink } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { PAGE_PARTS } from '~/server/domain/creators/rules';

/** The pages of the editor of a creator page. */
export function PageTabs() {
  const { t } = useTranslation('studio');
  const paths = usePaths();
  return (
    <Tabs label={t('creator.parts')}>
      {PAGE_PARTS.map((part) => (
        <NavLink key={part} to={paths.creatorPagePart(part)} end prefetch="intent">
          {t(`creator.part.${part}`)}
        </NavLink>
      ))}
    </Tabs>
  );
}
