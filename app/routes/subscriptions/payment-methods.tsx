import '~/app/styles/product.css';
import '~/app/styles/billing.css';
import type { MetaFunction } from '@remix-run/node';
import { CardRow } from '~/app/features/listener/subscriptions/card-row';
import { SubscriberFrame } from '~/app/features/listener/subscriptions/frame';
import { storedCard } from '~/app/features/listener/subscriptions/stored-card.server';
import { doneMessage } from '~/app/features/listener/subscriptions/subscriptions-data.server';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

/** Saved cards. The provider's page for a new card returns here. */
export const loader = page(async (door) => {
  const problem = await storedCard(door);
  return {
    title: translator(door.context.language, 'subscriptions')('cards.title'),
    problem,
    done: doneMessage(door, ['card_added', 'card_default', 'card_removed']),
    cards: await door.api.cards.mine(),
  };
});

export const action = form(
  async ({ api }, { intent, id = '' }) => {
    if (intent === 'remove') {
      await api.cards.remove({ id });
      return 'card_removed';
    }
    await api.cards.setDefault({ id });
    return 'card_default';
  },
  { then: (done, { url }) => withDoneMessage(pathsFor(url).paymentMethods, done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];

export default function PaymentMethodsPage() {
  const { t } = useTranslation('subscriptions');
  const { title, problem, done, cards } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const { addCard } = usePaths();
  return (
    <SubscriberFrame
      title={title}
      done={done}
      failure={failure ?? (problem ? { message: problem } : undefined)}
      help="cardOfSubscription"
    >
      {cards.length === 0 ? (
        <p className="lead">{t('cards.none')}</p>
      ) : (
        <ul className="saved-cards">
          {cards.map((card) => (
            <CardRow key={card.id} card={card} />
          ))}
        </ul>
      )}
      <p className="form-foot">
        <Link className="button" to={addCard()}>
          {t('cards.add')}
        </Link>
      </p>
    </SubscriberFrame>
  );
}
