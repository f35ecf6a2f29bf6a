import { HELP_SCREENS, type HelpScreen } from '~/app/lib/help-screens';
import { useAppUrl } from '~/app/lib/root-data';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import { AddressLink } from './address-link';

/** Leads to the article that explains the screen, or to the operator's help centre. */
export function HelpLink({ screen }: { screen: HelpScreen }) {
  const { t } = useTranslation('help');
  const appUrl = useAppUrl();
  const { help } = useSitePaths();
  return (
    <p className="small">
      <AddressLink href={`${appUrl}${help}/${HELP_SCREENS[screen]}`}>{t('howTo')}</AddressLink>
    </p>
  );
}
