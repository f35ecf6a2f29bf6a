import type { ReactNode } from 'react';
import { inLanguage } from '~/app/features/site/public/content-language';
import { CoverPicture } from '~/app/features/site/public/cover-picture';
import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';
import { formatMoney } from '~/server/base/money';
import { cardName } from './card-name';
import type { ListedSubscription } from './subscriptions-data.server';

/** A subscription with its state (spec §4) and the subscriber's actions. */
export function SubscriptionRow({ subscription }: { subscription: ListedSubscription }) {
  const { t, locale } = useTranslation('subscriptions');
  const { show, url, price, every, card } = subscription;
  return (
    <li>
      <CoverPicture cover={show.cover} alt="" wide={72} />
      <div>
        <h3 {...inLanguage(show.language)}>
          <a href={url}>{show.name}</a>
        </h3>
        <p className="small muted">
          <bdi>{show.creator.name}</bdi> · {t(`every.${every}`, { price: formatMoney(price, locale) })}
          {card && ` · ${cardName(card)}`}
        </p>
        <SubscriptionState subscription={subscription} />
        <Actions subscription={subscription} />
      </div>
    </li>
  );
}

function SubscriptionState({ subscription }: { subscription: ListedSubscription }) {
  const { t, locale } = useTranslation('subscriptions');
  const { status, phase, endReason, confirmationUrl } = subscription;
  const date = formatDate(subscription.at, locale);
  const reasons = [
    'card_removed',
    'show_becomes_free',
    'refunded',
    'unpaid',
    'creator',
    'duplicate',
    'disputed',
    'account_disconnected',
    'account_suspended',
    'taken_down',
  ];
  const isBad = phase === 'past_due';
  const running = isBad && confirmationUrl ? 'unconfirmed' : phase;
  const stateKey = status === 'subscribed' && running ? running : status;
  return (
    <p className={`state ${isBad ? 'bad' : status}`}>
      {t(`state.${stateKey}`, { date })}
      {endReason && reasons.includes(endReason) && ` ${t(`reason.${endReason}`)}`}
    </p>
  );
}

function Actions({ subscription }: { subscription: ListedSubscription }) {
  const { t } = useTranslation('subscriptions');
  const paths = usePaths();
  const { id, show, mayCancel, mayRenew, mayGoYearly, phase, endReason, confirmationUrl } = subscription;
  const needsCard = phase === 'past_due' || (mayRenew && endReason === 'card_removed');
  const named = <span className="hidden-visually">: {show.name}</span>;
  if (!mayCancel && !mayRenew) return null;
  return (
    <>
      <div className="actions">
        {confirmationUrl && (
          <a className="button slim" href={confirmationUrl}>
            {t('confirm')}
            {named}
          </a>
        )}
        {needsCard && (
          <Link className={confirmationUrl ? 'button plain slim' : 'button slim'} to={paths.addCard(id)}>
            {t('updateCard')}
            {named}
          </Link>
        )}
        {mayRenew && !needsCard && (
          <IntentForm intent="renew" id={id}>
            <button className="button slim" type="submit">
              {t('renew')}
              {named}
            </button>
          </IntentForm>
        )}
        {mayGoYearly && (
          <Link className="button plain slim" to={paths.yearly(id)}>
            {t('toYearly')}
            {named}
          </Link>
        )}
      </div>
      {mayCancel && <CancelForm subscription={subscription} />}
    </>
  );
}

function CancelForm({ subscription: { id, show, phase, at } }: { subscription: ListedSubscription }) {
  const { t, locale } = useTranslation('subscriptions');
  return (
    <details className="more">
      <summary>
        {t('cancel')}
        <span className="hidden-visually">: {show.name}</span>
      </summary>
      <IntentForm intent="cancel" id={id}>
        {/* a paused one states when it continues */}
        <p>{phase === 'paused' ? t('cancel.what') : t('cancel.until', { date: formatDate(at, locale) })}</p>
        <label htmlFor={`reason-${id}`}>{t('cancel.reason')}</label>
        <textarea className="input" id={`reason-${id}`} name="reason" rows={2} maxLength={500} />
        <button className="button plain slim" type="submit">
          {t('cancel.submit')}
        </button>
      </IntentForm>
    </details>
  );
}

function IntentForm({ intent, id, children }: { intent: string; id: number | string; children: ReactNode }) {
  return (
    <Form method="post">
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="id" value={id} />
      {children}
    </Form>
  );
}
