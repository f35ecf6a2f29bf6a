import '~/app/styles/product.css';
import '~/app/styles/billing.css';
import type { MetaFunction } from '@remix-run/node';
import { MyDonations } from '~/app/features/listener/donation/my-donations';
import { GivenGifts } from '~/app/features/listener/gifts/given-gifts';
import { SubscriberFrame } from '~/app/features/listener/subscriptions/frame';
import { SubscriptionRow } from '~/app/features/listener/subscriptions/subscription-row';
import { subscriptionsData } from '~/app/features/listener/subscriptions/subscriptions-data.server';
import { inLanguage } from '~/app/features/site/public/content-language';
import { CoverPicture } from '~/app/features/site/public/cover-picture';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';

/** The subscriptions and monthly donations that a user pays for (spec §4). */
export const loader = page(subscriptionsData);

export const action = form(
  async ({ api }, { intent, id = '', reason = '', donationId = '' }) => {
    if (intent === 'stop') {
      await api.donations.stop({ id: donationId });
      return 'donation_stopped';
    }
    if (intent === 'renew') {
      await api.subscriptions.renew({ id });
      return 'renewed';
    }
    await api.subscriptions.cancel({ id, reason });
    return 'cancelled';
  },
  { then: (done, { url }) => withDoneMessage(pathsFor(url).subscriptions, done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];

export default function SubscriptionsPage() {
  const { t } = useTranslation('subscriptions');
  const { title, done, running, ended, purchases, gifts, donations } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const { myFeed } = usePaths();
  return (
    <SubscriberFrame title={title} done={done} failure={failure} help="subscriptions">
      {[running, ended, purchases, gifts, donations].every(({ length }) => length === 0) && (
        <p className="lead">{t('none')}</p>
      )}
      {running.length > 0 && <h2 className="hidden-visually">{t('tabs.subscriptions')}</h2>}
      <Rows subscriptions={running} />
      {donations.length > 0 && <h2>{t('donations')}</h2>}
      {donations.length > 0 && <MyDonations donations={donations} />}
      {purchases.length > 0 && <Purchases />}
      <GivenGifts gifts={gifts} />
      {ended.length > 0 && <h2>{t('ended')}</h2>}
      <Rows subscriptions={ended} />
      <p className="form-foot">
        <Link to={myFeed}>{t('toFeed')}</Link>
      </p>
    </SubscriberFrame>
  );
}

function Rows({ subscriptions }: { subscriptions: ReturnType<typeof useLoaderData<typeof loader>>['running'] }) {
  if (subscriptions.length === 0) return null;
  return (
    <ul className="heard">
      {subscriptions.map((subscription) => (
        <SubscriptionRow key={subscription.id} subscription={subscription} />
      ))}
    </ul>
  );
}

function Purchases() {
  const { t } = useTranslation('subscriptions');
  const { purchases } = useLoaderData<typeof loader>();
  const { feedLinks } = useSitePaths();
  return (
    <>
      <h2>{t('purchases')}</h2>
      <ul className="heard">
        {purchases.map(({ id, name, language, cover, creator, url }) => (
          <li key={id}>
            <CoverPicture cover={cover} alt="" wide={72} />
            <div>
              <h3 {...inLanguage(language)}>
                <a href={url}>{name}</a>
              </h3>
              <p className="small muted">
                <bdi>{creator}</bdi>
              </p>
              <div className="actions">
                <Link className="button plain slim" to={feedLinks(id)}>
                  {t('purchases.feed')}
                  <span className="hidden-visually">: {name}</span>
                </Link>
              </div>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
