import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { OfferData } from './offer-data.server';

type Props = { refusal: NonNullable<OfferData['refusal']>; data: OfferData };

/** Says why the visitor can't buy the show, and what they can do instead. */
export function Refusal({ refusal: { code, message }, data: { product, pageUrl } }: Props) {
  const { t } = useTranslation('buying');
  const paths = usePaths();
  const isSubscriber = code === 'billing.already_subscribed' || code === 'billing.already_bought';
  return (
    <>
      <p className="notice" role="status">
        {message}
      </p>
      <p className="form-foot actions">
        {code === 'billing.card_needed' && (
          <Link className="button" to={paths.addCard()}>
            {t('refusal.card')}
          </Link>
        )}
        {isSubscriber && (
          <>
            <Link className="button" to={paths.feedLinks(product.id)}>
              {t('refusal.feed')}
            </Link>
            <Link className="button plain" to={paths.subscriptions}>
              {t('refusal.manage')}
            </Link>
          </>
        )}
        <a className={isSubscriber ? undefined : 'button plain'} href={pageUrl}>
          {t('refusal.show')}
        </a>
      </p>
    </>
  );
}
