import { useTranslation } from '~/app/lib/translation';
import { inLanguage } from './content-language';
import type { Offer, OfferLabels } from './offer-labels.server';

/** `language`: of the creator's own words. */
type Props = { offer: OfferLabels; language: string };

/** What buyers get, what it costs, and the button. Radio buttons switch the interval, also without JavaScript. */
export function OfferCard({ offer, language }: Props) {
  const { t } = useTranslation('public');
  const { offers, benefits, notes, links, gift, unsold } = offer;
  if (links) return <OwnCard isBought={offers[0]?.interval === 'once'} links={links} gift={gift} />;
  return (
    <section className="offer-card" id="offer" aria-labelledby="offer-title">
      <h2 id="offer-title">{t('offer.title')}</h2>
      <ul className="benefits">
        {benefits.list.map((benefit) => (
          <li key={benefit} {...(benefits.areOwnWords && inLanguage(language))}>
            {benefit}
          </li>
        ))}
      </ul>
      {unsold ? <Unsold offers={offers} text={unsold} /> : <Prices offers={offers} />}
      {gift && <GiftLink href={gift} />}
      {!unsold && <p className="small muted">{notes}</p>}
    </section>
  );
}

type OwnProps = { isBought: boolean; links: NonNullable<OfferLabels['links']>; gift: string | null };

/** For visitors who have already paid. */
function OwnCard({ isBought, links, gift }: OwnProps) {
  const { t } = useTranslation('public');
  const kind = isBought ? 'bought' : 'subscribed';
  return (
    <section className="offer-card" id="offer" aria-labelledby="offer-title">
      <h2 id="offer-title">{t(`own.${kind}`)}</h2>
      <p>{t(`own.${kind}Text`)}</p>
      <a className="button" href={links.listen}>
        {t('price.listen')}
      </a>
      <a className="button plain" href={links.manage}>
        {t('price.manage')}
      </a>
      {gift && <GiftLink href={gift} />}
    </section>
  );
}

function GiftLink({ href }: { href: string }) {
  const { t } = useTranslation('public');
  return (
    <a className="button plain" href={href}>
      {t('price.gift')}
    </a>
  );
}

/** The prices without their trials and terms, because nobody can pay them now. */
function Unsold({ offers, text }: { offers: Offer[]; text: string }) {
  return (
    <div className="price">
      <ul className="amount">
        {offers.map(({ interval, amount }) => (
          <li key={interval}>{amount}</li>
        ))}
      </ul>
      <p>
        <strong>{text}</strong>
      </p>
    </div>
  );
}

function Prices({ offers }: { offers: Offer[] }) {
  const { t } = useTranslation('public');
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
      {offers.map(({ interval, headline, path, label, terms }) => (
        <div key={interval} className={`offer per-${interval}`}>
          <p className="amount">{headline}</p>
          {path && (
            <>
              <a className="button" href={path}>
                {label}
              </a>
              <p className="small">{terms}</p>
            </>
          )}
        </div>
      ))}
    </div>
  );
}
