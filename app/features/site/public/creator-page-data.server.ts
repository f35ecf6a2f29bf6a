import { data } from '@remix-run/node';
import type { Door } from '~/app/lib/doors.server';
import { pack } from '~/app/lib/packed';
import { pathsFor } from '~/app/lib/paths';
import { translator } from '~/app/lib/texts.server';
import { truncate } from './excerpt';
import { toGoalBar } from './goal.server';
import {
  type ApiEpisode,
  cacheTags,
  localizedUrls,
  redirectToMoved,
  toCreatorCard,
  toListedEpisode,
  toProductCard,
  urlsOnThisHost,
} from './page-data.server';
import type { PageMetadata } from './page-meta';
import { seriesData } from './structured-data.server';

/** The data of a creator page, at the root of their host and at `/@domain`. */
export async function creatorPageData({ api, context, request }: Door, domain: string) {
  const result = await api.pages.creator({ domain });
  if (result.moved) throw redirectToMoved(context, request, result.moved);
  const { creator, products } = result;
  const t = translator(context.language, 'public');
  const about = creator.about ? truncate(creator.about.text, 160) : '';
  const picture = creator.avatar ?? products[0]?.cover;
  const metadata: PageMetadata = {
    title: creator.name,
    description: about || t('creator.description', { name: creator.name }),
    language: context.language,
    urls: localizedUrls(context, creator.domain, '/'),
    image: picture ? { url: context.urls.media(picture.jpg), alt: creator.name, isWide: false } : null,
    audio: null,
    feed: null,
  };
  context.structuredData.json = JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    mainEntity: { '@type': 'Person', name: creator.name, url: creator.url },
    hasPart: products.map((product) => seriesData(context, product, creator)),
  });
  const view = { page: 'creator' as const, metadata, ...creatorView({ context, request }, result) };
  return data(view, cacheTags(creator, products));
}

type Shown = Pick<
  Extract<Awaited<ReturnType<Door['api']['pages']['creator']>>, { moved: null }>,
  'creator' | 'products' | 'latest' | 'donation'
>;

/** The data that the components of a creator page show. */
export function creatorView(door: Pick<Door, 'context' | 'request'>, shown: Shown) {
  const { creator, products, latest } = shown;
  const urls = urlsOnThisHost(door.request);
  const languages = new Map(products.map(({ id, language }) => [id, language]));
  const toListed = (episode: ApiEpisode) => toListedEpisode(episode, languages.get(episode.productId) ?? '', urls);
  return {
    latest: latest.length > 0 ? pack(latest.map(toListed)) : null,
    creator: toCreatorCard(creator),
    products: products.map(toProductCard),
    sections: toCreatorSections(door, shown),
  };
}

export type CreatorSections = ReturnType<typeof toCreatorSections>;

/** Sections are null or empty without content, so that the page leaves them out. */
function toCreatorSections(door: Pick<Door, 'context' | 'request'>, { creator, donation }: Shown) {
  const { callToAction, testimonials, links, username, hasNewsletter } = creator;
  return {
    callToAction,
    testimonials,
    links,
    username,
    hasNewsletter,
    donation: donation && toDonationSection(door, creator, donation),
  };
}

/** The texts are made here, so that visitors of creator pages load no text files. */
function toDonationSection(
  { context, request }: Pick<Door, 'context' | 'request'>,
  { id, name }: Shown['creator'],
  { text, goal, wall }: NonNullable<Shown['donation']>,
) {
  const t = translator(context.language, 'donation');
  return {
    url: context.urls.app(pathsFor(new URL(request.url)).donate(id)),
    title: t('block.title', { name }),
    text: text || t('block.text', { name }),
    button: t('block.button'),
    goal: goal && toGoalBar(context, goal),
    wallTitle: t('block.wall'),
    wall: wall.map((thanks) => ({ ...thanks, name: thanks.name ?? t('wall.anonymous') })),
  };
}
