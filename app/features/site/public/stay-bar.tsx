import { useTranslation } from '~/app/lib/translation';
import type { PriceLabels } from './product-page-data.server';

type Props = { price: PriceLabels | null; canFollow: boolean };

/**
 * On phones, keeps the button to subscribe or follow at the bottom while the page scrolls. Renders nothing without a
 * button.
 */
export function StayBar({ price, canFollow }: Props) {
  const { t } = useTranslation('public');
  const offer = price?.offers.find(({ path }) => path !== null);
  const [href, label] = offer?.path ? [offer.path, t(`price.buy.${offer.interval}`)] : ['#follow', t('followFree')];
  if (!offer && !canFollow) return null;
  return (
    <p className="stay" data-leads={offer ? undefined : 'follow'}>
      <a className="button" href={href}>
        {label}
      </a>
      {offer && <span className="small">{offer.amount}</span>}
    </p>
  );
}
