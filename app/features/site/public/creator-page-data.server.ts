import { data } from '@remix-run/node';
import type { Door } from '~/app/lib/doors.server';
import { pack } from '~/app/lib/packed';
import { pathsFor } from '~/app/lib/paths';
import { translator } from '~/app/lib/texts.server';
import { truncate } from './excerpt';
import { toGoalBar } from './goal.server';
import { toListRow } from './list-row.server';
import { priceLabel } from './offer-labels.server';
import {
  type ApiEpisode,
  type ApiProduct,
  cacheTags,
  localizedUrls,
  redirectToMoved,
  toCreatorCard,
  toProductCard,
  urlsOnThisHost,
} from './page-data.server';
import type { PageMetadata } from './page-meta';
import { numberIn, toPassages, wordsIn } from './passages.server';
import { seriesData } from './structured-data.server';

/** The data of a creator page, at the root of their host and at `/@domain`. */
export async function creatorPageData({ api, context, request, url }: Door, domain: string) {
  const search = wordsIn(url.searchParams);
  const result = await api.pages.creator({ domain, search, part: numberIn(url.searchParams, 'passages') });
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
    isUnlisted: search !== undefined,
  };
  context.structuredData.json = JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    mainEntity: { '@type': 'Person', name: creator.name, url: creator.url },
    hasPart: products.map((product) =>
      seriesData(context, { product, creator, isOnSale: context.settings.takesPayments }),
    ),
  });
  const view = {
    page: 'creator' as const,
    metadata,
    ...creatorView({ context, request }, result),
    search: result.isSearchable || search ? (search ?? '') : null,
    found: result.found && toFound({ context, request }, result.found, products),
  };
  return data(view, cacheTags(creator, products));
}

export type FoundOnPage = ReturnType<typeof toFound>;

/** What a search on the page has found. */
function toFound({ context, request }: Pick<Door, 'context' | 'request'>, found: Found, products: ApiProduct[]) {
  const urls = urlsOnThisHost(request);
  const languages = new Map(products.map(({ id, language }) => [id, language]));
  const isMixed = products.length > 1;
  const toRow = (episode: ApiEpisode) =>
    toListRow(episode, { page: context.language, urls, isMixed, content: languages.get(episode.productId) ?? '' });
  return {
    episodes: found.episodes.length > 0 ? pack(found.episodes.map(toRow)) : null,
    passages: toPassages(found.passages, { urlsOf: () => urls, isMixed }),
  };
}

type CreatorAnswer = Extract<Awaited<ReturnType<Door['api']['pages']['creator']>>, { moved: null }>;
type Found = NonNullable<CreatorAnswer['found']>;
type Shown = Pick<CreatorAnswer, 'creator' | 'products' | 'latest' | 'donation'>;

/** The data that the components of a creator page show. */
export function creatorView(door: Pick<Door, 'context' | 'request'>, shown: Shown) {
  const { creator, products, latest } = shown;
  const { language: page } = door.context;
  const urls = urlsOnThisHost(door.request);
  const languages = new Map(products.map(({ id, language }) => [id, language]));
  const isMixed = products.length > 1;
  const toRow = (episode: ApiEpisode) =>
    toListRow(episode, { page, urls, isMixed, content: languages.get(episode.productId) ?? '' });
  const featured =
    products.find(({ id }) => id === latest[0]?.productId) ?? products.find(({ episodesCount }) => episodesCount > 0);
  const sound = latest.find(({ productId }) => productId === featured?.id);
  const toCard = (product: ApiProduct) => ({ ...toProductCard(product), price: priceLabel(product, door.context) });
  return {
    latest: latest.length > 0 ? pack(latest.map(toRow)) : null,
    creator: toCreatorCard(creator),
    /** The show with the newest episode that visitors can play; without one, the newest show with episodes. */
    featured: featured
      ? { ...toCard(featured), text: truncate(featured.description, FEATURED_TEXT), sound: sound ? toRow(sound) : null }
      : null,
    products: products.filter((product) => product !== featured).map(toCard),
    sections: toCreatorSections(door, shown),
  };
}

const FEATURED_TEXT = 240;

export type ShowCard = ReturnType<typeof creatorView>['products'][number];
export type FeaturedShow = NonNullable<ReturnType<typeof creatorView>['featured']>;

export type CreatorSections = ReturnType<typeof toCreatorSections>;

/** Sections are null or empty without content, so that the page leaves them out. */
function toCreatorSections(door: Pick<Door, 'context' | 'request'>, { creator, donation }: Shown) {
  const { callToAction, testimonials, links, username, hasNewsletter, tracksReaders } = creator;
  return {
    callToAction,
    testimonials,
    links,
    username,
    hasNewsletter,
    tracksReaders,
    donation: donation && toDonationSection(door, creator, donation),
  };
}

/** The texts are made here, so that visitors of creator pages load no text files. */
function toDonationSection(
  { context, request }: Pick<Door, 'context' | 'request'>,
  { id, name }: Shown['creator'],
  { text, goal, wall, moreDonors }: NonNullable<Shown['donation']>,
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
    more: moreDonors > 0 ? t('wall.more', { count: moreDonors }) : null,
  };
}
