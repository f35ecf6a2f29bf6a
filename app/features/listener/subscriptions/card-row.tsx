import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';
import { cardExpiry, cardName } from './card-name';

type Charged = { purpose: 'show' | 'donation' | 'plan'; name: string; periodEnd: Date };
type Card = {
  id: string;
  brand: string;
  last4: string;
  expiresMonth: number;
  expiresYear: number;
  isExpired: boolean;
  isDefault: boolean;
  mayBeDefault: boolean;
  /** Set if no other card could be charged instead. */
  isLast: boolean;
  charged: Charged[];
  /** What the card would pay for as the default card, and what it could not. */
  moves: Charged[];
  stays: Charged[];
};

/** A saved card, with the payments charged to it and the subscriptions that its removal would end. */
export function CardRow({ card }: { card: Card }) {
  const { t } = useTranslation('subscriptions');
  return (
    <li>
      <h2>
        {cardName(card)}
        {card.isDefault && <span className="badge">{t('cards.default')}</span>}
      </h2>
      <p className={card.isExpired ? 'state bad' : 'small muted'}>
        {t(card.isExpired ? 'cards.expired' : 'cards.expires', { date: cardExpiry(card) })}
      </p>
      <Uses label={t('cards.charged')} items={card.charged} />
      {card.mayBeDefault && <DefaultForm card={card} />}
      <RemoveForm card={card} />
    </li>
  );
}

function Uses({ label, items }: { label: string; items: Charged[] }) {
  const { t } = useTranslation('subscriptions');
  if (items.length === 0) return null;
  return (
    <p className="small">
      {label} <bdi>{items.map(({ purpose, name }) => t(`cards.use.${purpose}`, { name })).join(' · ')}</bdi>
    </p>
  );
}

function DefaultForm({ card }: { card: Card }) {
  const { t } = useTranslation('subscriptions');
  return (
    <details className="more">
      <summary>
        {t('cards.makeDefault')}
        <span className="hidden-visually">: {cardName(card)}</span>
      </summary>
      <Form method="post">
        <input type="hidden" name="id" value={card.id} />
        <p>{t('cards.defaultMeans')}</p>
        <Uses label={t('cards.moves')} items={card.moves} />
        <Uses label={t('cards.stays')} items={card.stays} />
        <button className="button plain slim" type="submit" name="intent" value="default">
          {t('cards.defaultSubmit')}
        </button>
      </Form>
    </details>
  );
}

function RemoveForm({ card }: { card: Card }) {
  const { t, locale } = useTranslation('subscriptions');
  const { charged, isLast } = card;
  return (
    <details className="more">
      <summary>
        {t('cards.remove')}
        <span className="hidden-visually">: {cardName(card)}</span>
      </summary>
      <Form method="post">
        <input type="hidden" name="id" value={card.id} />
        {charged.length === 0 && <p>{t('cards.removeUnused')}</p>}
        {charged.length > 0 && !isLast && <p>{t('cards.removeOther')}</p>}
        {charged.length > 0 && isLast && (
          <>
            <p>{t('cards.removeLast')}</p>
            <ul className="ends">
              {charged.map(({ purpose, name, periodEnd }) => (
                <li key={`${purpose}${name}`}>
                  <bdi>{name}</bdi>:{' '}
                  {purpose === 'donation'
                    ? t('cards.endsNow')
                    : t('cards.endsOn', { date: formatDate(periodEnd, locale) })}
                </li>
              ))}
            </ul>
          </>
        )}
        <button className="button plain slim" type="submit" name="intent" value="remove">
          {t('cards.removeSubmit')}
        </button>
      </Form>
    </details>
  );
}
