import { data } from '@remix-run/node';
import { notFound } from '~/app/features/site/site/not-found.server';
import type { Door } from '~/app/lib/doors.server';
import { pack } from '~/app/lib/packed';
import { splitAtLinks } from '~/server/base/html';
import { truncate } from './excerpt';
import { toListRow } from './list-row.server';
import { numbersOf } from './numbers.server';
import { offerLabels } from './offer-labels.server';
import {
  cacheTags,
  domainOf,
  embedOf,
  isInParts,
  listingsOf,
  localizedUrls,
  redirectToMoved,
  toCreatorCard,
  toProductCard,
  urlsOnThisHost,
} from './page-data.server';
import type { PageMetadata } from './page-meta';
import { numberIn, toPassages, wordsIn } from './passages.server';
import { feedInApps, sharedPage } from './shared-page.server';
import { productJson } from './structured-data.server';

/** The data of a product's page: `?season=2`, `?q=words` and `?page=2` select its episodes. */
export async function productPageData({ api, context, params, request, url }: Door) {
  const domain = domainOf(context, params.handle);
  if (domain === null) throw notFound();
  const query = url.searchParams;
  const [page = 1, season] = [numberIn(query, 'page'), numberIn(query, 'season')];
  const search = wordsIn(query);
  const part = numberIn(query, 'passages');
  const result = await api.pages.product({ domain, slug: params.slug ?? '', page, season, search, part });
  if (result.moved) throw redirectToMoved(context, request, result.moved);
  const { creator, product, episodes, trailer, feedUrl, isSearchable } = result;
  const pages = Math.max(1, Math.ceil(episodes.total / episodes.pageSize));
  if (page > pages || (season !== undefined && episodes.total === 0)) throw notFound();
  const metadata: PageMetadata = {
    title: `${product.name} · ${creator.name}`,
    description: truncate(product.description, 160),
    language: context.language,
    urls: localizedUrls(context, creator.domain, `/p/${product.slug}${canonicalQuery({ page, season, search })}`),
    image: { url: result.shareImage, alt: product.name, isWide: true },
    audio: null,
    feed: feedUrl === null ? null : { title: product.name, url: feedUrl },
    embed: embedOf(context, {
      type: 'product',
      id: product.id,
      url: context.urls.product(creator.domain, product.slug),
      isPlayable: episodes.total > 0 && product.isFree,
    }),
    isUnlisted: search !== undefined,
  };
  context.structuredData.json = productJson(context, result);
  const urls = urlsOnThisHost(request);
  const isFront = page === 1 && season === undefined && !search;
  // buyers get an episode instead of the trailer, and their private feed instead of the public one
  const isOwned = result.isSubscribed === true;
  const leading = isOwned ? null : trailer;
  const first = leading ?? (isFront ? episodes.items.find(({ type }) => !isOwned || type !== 'trailer') : undefined);
  const toRow = (episode: (typeof episodes.items)[number]) =>
    toListRow(episode, { page: context.language, content: product.language, urls });
  const view = {
    metadata,
    inApp: isOwned ? null : await feedInApps(feedUrl),
    share: await sharedPage(context, { name: product.name, type: 'product', metadata }),
    ...{ page, pages, season: season ?? null, seasons: result.seasons },
    passages: result.passages && toPassages(result.passages, { urlsOf: () => urls }),
    search: isSearchable || search ? (search ?? '') : null,
    creator: toCreatorCard(creator),
    product: { ...toProductCard(product), id: product.id, description: splitAtLinks(product.description) },
    numbers: numbersOf(result, context),
    isInParts: isInParts(product),
    offer: offerLabels(result, { ...context, coupon: query.get('coupon') }),
    /** Null if visitors can't follow the show, because it is paid or archived. */
    follow: product.isFree && product.archivedAt === null ? { isFollowed: result.isFollowed } : null,
    recommends: result.recommends.map(({ id, product: { name, language, cover }, creator: by, visitUrl }) => ({
      ...{ id, name, language, by: by.name, visitUrl, picture: cover.webp[96] },
    })),
    listings: listingsOf(product),
    featured: first ? { ...toRow(first), isTrailer: leading !== null } : null,
    episodes: episodes.items.length > 0 ? pack(episodes.items.map(toRow)) : null,
  };
  const named = result.recommends.map((shown) => shown.product);
  return data(view, cacheTags(creator, [product, ...named]));
}

/** Each season and each page has its own URL; search results share the URL of the show's page. */
function canonicalQuery({ page, season, search }: { page: number; season?: number; search?: string }): string {
  if (search) return '';
  const query = [season !== undefined && `season=${season}`, page > 1 && `page=${page}`].filter(Boolean).join('&');
  return query && `?${query}`;
}
