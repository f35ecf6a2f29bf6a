import '~/app/styles/product.css';
import '~/app/styles/feed.css';
import type { MetaFunction } from '@remix-run/node';
import { MyDonations } from '~/app/features/listener/donation/my-donations';
import { FeedHome } from '~/app/features/listener/feed/feed-home';
import { HeardShows, MyCreators } from '~/app/features/listener/feed/my-feed';
import { myFeedData } from '~/app/features/listener/feed/my-feed-data.server';
import { UnverifiedNotice } from '~/app/features/listener/feed/unverified-notice';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

/** The shows that a listener follows or has bought, with the private feeds for podcast apps (spec §2.1). */
export const loader = page(myFeedData);

/** Each leads to the query of the page that shows its result. */
const INTENTS: Record<string, (door: Door, values: Record<string, string>) => Promise<string>> = {
  verify: ({ api }) => api.accounts.resendVerification().then(() => 'sent'),
  unfollow: ({ api }, { productId = '' }) => api.feeds.unfollow({ productId }).then(() => 'view=shows&unfollowed'),
  stop: ({ api }, { donationId = '' }) => api.donations.stop({ id: donationId }).then(() => 'view=donations&stopped'),
  played: (door, values) => markPlayed(door, values, true),
  unplayed: (door, values) => markPlayed(door, values, false),
};

/** Stays on the same page of the same search. */
async function markPlayed({ api, url }: Door, { episodeId = '' }: Record<string, string>, finished: boolean) {
  await api.listening.savePosition({ id: episodeId as never, seconds: 0, finished });
  const kept = ['search', 'page'].map((name) => [name, url.searchParams.get(name) ?? '']);
  return String(new URLSearchParams(kept.filter(([, value]) => value !== '')));
}

const intentOf = ({ intent = '' }: Record<string, string>) => (Object.hasOwn(INTENTS, intent) ? intent : 'unfollow');

export const action = form((door, values) => INTENTS[intentOf(values)]!(door, values), {
  then: (query, { url }) => `${pathsFor(url).myFeed}${query && `?${query}`}`,
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];

export default function MyFeedPage() {
  const { t } = useTranslation('follow');
  const { t: tDonation } = useTranslation('donation');
  const { title, shows, heard, isUnfollowed, isStopped, usesStudio, unverified, inboxUrl, isSent } =
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
        {heard ? <FeedHome shows={shows} heard={heard} /> : <Others />}
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
    <nav className="tabs wrapped" aria-label={t('mine.tabs')}>
      {views.map((name) => (
        <Link
          key={name}
          to={name === 'feed' ? myFeed : `${myFeed}?view=${name}`}
          aria-current={name === view ? 'page' : undefined}
        >
          {name === 'donations' ? tDonation('mine.title') : t(`mine.${name}`)}
        </Link>
      ))}
    </nav>
  );
}

function Others() {
  const { t } = useTranslation('follow');
  const { t: tDonation } = useTranslation('donation');
  const { view, shows, purchases, creators, donations } = useLoaderData<typeof loader>();
  return (
    <>
      <h2 className="hidden-visually">{view === 'donations' ? tDonation('mine.title') : t(`mine.${view}`)}</h2>
      {view === 'donations' && <MyDonations donations={donations} />}
      {view === 'shows' && <HeardShows shows={shows} />}
      {view === 'purchases' && <HeardShows shows={purchases} />}
      {view === 'creators' && <MyCreators creators={creators} />}
    </>
  );
}
