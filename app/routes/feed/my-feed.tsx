import '~/app/styles/product.css';
import type { MetaFunction } from '@remix-run/node';
import { UnverifiedNotice } from '~/app/features/listener/feed/unverified-notice';
import { HeardShows, LatestHeard, MyCreators, MyDonations } from '~/app/features/site/public/my-feed';
import { myFeedData } from '~/app/features/site/public/my-feed-data.server';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

/** The shows that a listener follows or has bought, with the private feeds for podcast apps (spec §2.1). */
export const loader = page(myFeedData);

/** Unfollows a show, stops a monthly donation, or sends the verification email again. */
export const action = form(
  async ({ api }, { intent, productId = '', donationId = '' }) => {
    if (intent === 'verify') return api.accounts.resendVerification().then(() => 'sent');
    if (intent !== 'stop') return api.feeds.unfollow({ productId }).then(() => 'unfollowed');
    return api.donations.stop({ id: donationId }).then(() => 'view=donations&stopped');
  },
  { then: (done, { url }) => `${pathsFor(url).myFeed}?${done}` },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];

export default function MyFeedPage() {
  const { t } = useTranslation('follow');
  const { t: tDonation } = useTranslation('donation');
  const { title, view, isUnfollowed, isStopped, usesStudio, unverified, inboxUrl, isSent } =
    useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  return (
    <SiteShell>
      <div className="wrap feed-page">
        <h1>{title}</h1>
        {isUnfollowed && (
          <p className="notice" role="status">
            {t('mine.unfollowed')}
          </p>
        )}
        {isStopped && (
          <p className="notice" role="status">
            {tDonation('mine.stopped')}
          </p>
        )}
        {failure?.message && (
          <p className="notice bad" role="alert">
            {failure.message}
          </p>
        )}
        {unverified && <UnverifiedNotice email={unverified} inboxUrl={inboxUrl} isSent={isSent} />}
        <Tabs />
        {view === 'shows' ? <Shows /> : <Others />}
        <p className="form-foot">
          <Link to={paths.subscriptions}>{t('mine.manage')}</Link>
        </p>
        {!usesStudio && (
          <p className="muted">
            {t('mine.publish')} <Link to={paths.start('page')}>{t('mine.createShow')}</Link>
          </p>
        )}
      </div>
    </SiteShell>
  );
}

function Tabs() {
  const { t } = useTranslation('follow');
  const { t: tDonation } = useTranslation('donation');
  const { view, views } = useLoaderData<typeof loader>();
  const { myFeed } = usePaths();
  if (views.length < 2) return null;
  return (
    <nav className="tabs" aria-label={t('mine.tabs')}>
      {views.map((name) => (
        <Link
          key={name}
          to={name === 'shows' ? myFeed : `${myFeed}?view=${name}`}
          aria-current={name === view ? 'page' : undefined}
        >
          {name === 'donations' ? tDonation('mine.title') : t(`mine.${name}`)}
        </Link>
      ))}
    </nav>
  );
}

function Shows() {
  const { t } = useTranslation('follow');
  const { shows, latest } = useLoaderData<typeof loader>();
  const paths = usePaths();
  if (shows.length === 0)
    return (
      <>
        <p className="lead">{t('mine.none')}</p>
        <p className="form-foot">
          <Link className="button" to={paths.discover}>
            {t('mine.home')}
          </Link>
        </p>
      </>
    );
  return (
    <>
      <h2>{t('mine.heard')}</h2>
      <HeardShows shows={shows} />
      {shows.length > 1 && (
        <p className="all-shows">
          <span>{t('mine.allText')}</span>
          <Link className="button slim" to={paths.feedLinks(null)}>
            {t('mine.all')}
          </Link>
        </p>
      )}
      {latest.length > 0 && (
        <>
          <h2>{t('mine.latest')}</h2>
          <LatestHeard episodes={latest} />
        </>
      )}
    </>
  );
}

function Others() {
  const { t } = useTranslation('follow');
  const { t: tDonation } = useTranslation('donation');
  const { view, purchases, creators, donations } = useLoaderData<typeof loader>();
  return (
    <>
      <h2 className="hidden-visually">{view === 'donations' ? tDonation('mine.title') : t(`mine.${view}`)}</h2>
      {view === 'donations' && <MyDonations donations={donations} />}
      {view === 'purchases' && <HeardShows shows={purchases} />}
      {view === 'creators' && <MyCreators creators={creators} />}
    </>
  );
}
