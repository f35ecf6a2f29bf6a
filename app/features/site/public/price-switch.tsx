import { useTranslation } from '~/app/lib/translation';
import type { Offer, PriceLabels } from './product-page-data.server';

/** The show's price. If there are two ways to pay, radio buttons switch between them, also without JavaScript. */
export function PriceSwitch({ price: { offers, access, links, gift } }: { price: PriceLabels }) {
  const { t } = useTranslation('public');
  if (links)
    return (
      <div className="price actions">
        <a className="button slim" href={links.listen}>
          {t('price.listen')}
        </a>
        <a href={links.manage}>{t('price.manage')}</a>
        {gift && <a href={gift}>{t('price.gift')}</a>}
      </div>
    );
  return (
    <div className="price">
      {offers.length > 1 && (
        <fieldset className="price-switch">
          <legend className="hidden-visually">{t('price.choice')}</legend>
          {offers.map(({ interval, saving }, i) => (
            <label key={interval}>
              <input type="radio" name="interval" value={interval} defaultChecked={i === 0} />
              {t(`price.interval.${interval}`)}
              {saving && <span className="badge">{saving}</span>}
            </label>
          ))}
        </fieldset>
      )}
      {offers.map((offer) => (
        <OfferLine key={offer.interval} offer={offer} />
      ))}
      <p className="small">
        {access} {gift && <a href={gift}>{t('price.gift')}</a>}
      </p>
    </div>
  );
}

function OfferLine({ offer: { interval, amount, path } }: { offer: Offer }) {
  const { t } = useTranslation('public');
  return (
    <p className={`offer per-${interval}`}>
      <strong>{amount}</strong>
      {path && (
        <a className="button slim" href={path}>
          {t(`price.buy.${interval}`)}
        </a>
      )}
    </p>
  );
}
