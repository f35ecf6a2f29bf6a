import { useTranslation } from '~/app/lib/translation';
import type { OfferLabels } from './offer-labels.server';

type Props = { offer: OfferLabels | null; canFollow?: boolean };

/**
 * On phones, keeps the button to buy or follow at the bottom while its box is not on the screen. Renders nothing without
 * a button.
 */
export function StayBar({ offer, canFollow = false }: Props) {
  const { t } = useTranslation('public');
  const sold = offer?.offers.find(({ path }) => path !== null);
  if (!sold && !canFollow) return null;
  return (
    <p className="stay" data-leads={sold ? 'offer' : 'follow'}>
      <a className="button" href={sold?.path ?? '#follow'}>
        {sold?.label ?? t('followFree')}
      </a>
    </p>
  );
}
