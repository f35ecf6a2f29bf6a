import { HelpLink } from '~/app/components/help-link';
import '~/app/styles/product.css';
import type { MetaFunction } from '@remix-run/node';
import { withQrCodes } from '~/app/features/site/public/app-feeds.server';
import { CreatorsLink } from '~/app/features/site/public/creators-link';
import { ConfirmReplacing, FeedLinks } from '~/app/features/site/public/feed-links';
import { urlsFromApp } from '~/app/features/site/public/page-data.server';
import { notFound } from '~/app/features/site/site/not-found.server';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type Door, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { Link, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';
import { spotifyPageOf } from '~/server/base/account-paths';
import { formatDate } from '~/server/base/formats';
import { ALL_SHOWS } from '~/server/base/public-paths';
import { CREATORS_LINK, FEED_APPS, type FeedApp } from '~/server/domain/feeds/kinds';

/** The path of the feed of all shows contains a word instead of a show's ID. */
function feedOf({ params: { productId = '' } }: Pick<Door, 'params'>): { productId: number | null } {
  if (productId !== ALL_SHOWS && !/^[1-9]\d{0,14}$/.test(productId)) throw notFound();
  return { productId: productId === ALL_SHOWS ? null : Number(productId) };
}

const appIn = (links: { app: FeedApp }[], name: string | null): FeedApp | null =>
  links.find(({ app }) => app === name)?.app ?? null;

/**
 * A listener's private feed of one show, or of all of them, with an address for each podcast app. `?replace=` asks
 * before replacing one.
 */
export const loader = page(async (door) => {
  const { api, context, request, url } = door;
  const { productId } = feedOf(door);
  const links = await api.feeds.privateLinks({ productId });
  const show = productId === null ? null : await api.feeds.heardShow({ productId });
  const spotify = productId === null ? null : await api.spotify.ofShow({ productId });
  const ofCreator = productId === null ? null : await api.feeds.creatorsLink({ productId });
  const t = translator(context.language, 'follow');
  const noteOf = (sharedAt: Date | null) =>
    sharedAt && t('links.shared', { date: formatDate(sharedAt, context.locale) });
  return {
    productId,
    title: show ? t('links.title', { show: show.name }) : t('links.allTitle'),
    lead: t(show ? 'links.lead' : 'links.allLead'),
    feeds: await withQrCodes(
      links.map(({ sharedAt, ...link }) => ({ ...link, note: noteOf(sharedAt) })),
      request,
    ),
    brand: show?.brand ?? null,
    pageUrl: show && urlsFromApp(context, request, show.creator.domain).product(show.slug),
    spotify: spotify && { isLinked: spotify.isLinked, page: spotifyPageOf(spotify.spotifyUri) },
    ofCreator: ofCreator && t('links.creatorText', { date: formatDate(ofCreator.createdAt, context.locale) }),
    isEnding: url.searchParams.get('replace') === CREATORS_LINK,
    replacing: appIn(links, url.searchParams.get('replace')),
    replaced: appIn(links, url.searchParams.get('replaced')),
  };
});

export const action = form(
  async (door, { app = '' }) => {
    const { productId } = feedOf(door);
    if (app === CREATORS_LINK && productId !== null) await door.api.feeds.endCreatorsLink({ productId });
    else await door.api.feeds.replaceLink({ productId, app: app as 'other' });
    return app;
  },
  { then: (app, door) => `${pathsFor(door.url).feedLinks(feedOf(door).productId)}?replaced=${app}` },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];

export default function PrivateFeedPage() {
  const { t } = useTranslation('follow');
  const { productId, title, lead, feeds, brand, pageUrl, spotify, replacing, replaced, ofCreator, isEnding } =
    useLoaderData<typeof loader>();
  const paths = usePaths();
  return (
    <SiteShell brand={brand}>
      <div className="wrap feed-page">
        <h1>{title}</h1>
        <p className="lead">{lead}</p>
        <HelpLink screen="feedLinks" />
        {replaced && (
          <p className="notice" role="status">
            {t('links.replaced', { app: FEED_APPS[replaced].name ?? t('links.other') })}
          </p>
        )}
        {replacing && <ConfirmReplacing app={replacing} />}
        <FeedLinks feeds={feeds} canReplace open={replaced ?? replacing} show={productId} />
        {ofCreator && <CreatorsLink text={ofCreator} isEnding={isEnding} />}
        <p className="form-foot actions">
          <Link to={paths.myFeed}>{t('links.back')}</Link>
          {spotify?.isLinked && <a href={spotify.page}>{t('links.onSpotify')}</a>}
          {spotify && !spotify.isLinked && <Link to={paths.spotify}>{t('links.linkSpotify')}</Link>}
          {pageUrl && <a href={pageUrl}>{t('links.page')}</a>}
        </p>
      </div>
    </SiteShell>
  );
}
