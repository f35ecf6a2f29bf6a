import { data } from '@remix-run/node';
import { notFound } from '~/app/features/site/site/not-found.server';
import type { Door, Reader } from '~/app/lib/doors.server';
import { pack } from '~/app/lib/packed';
import { pathsIn } from '~/app/lib/paths';
import { translator } from '~/app/lib/texts.server';
import { splitAtLinks } from '~/server/base/html';
import { formatMoney } from '~/server/base/money';
import { BUY_GIFT_PATH } from '~/server/base/public-paths';
import { KINDS } from '~/server/domain/products/kinds';
import { BUYING_LIMITS } from '~/server/limits/billing';
import { buyPath } from './buy-path';
import { truncate } from './excerpt';
import {
  type ApiProduct,
  cacheTags,
  domainOf,
  embedOf,
  listingsOf,
  localizedUrls,
  redirectToMoved,
  toCreatorCard,
  toListedEpisode,
  toProductCard,
  urlsOnThisHost,
} from './page-data.server';
import type { PageMetadata } from './page-meta';
import { qrCodeOf } from './qr-code.server';
import { productJson } from './structured-data.server';

type Interval = 'month' | 'year' | 'once';
/** One way to pay. `path`: the page that sells the show, or null if it is not for sale. */
export type Offer = { interval: Interval; amount: string; saving: string | null; path: string | null };
export type PriceLabels = {
  offers: Offer[];
  access: string;
  /** Links for visitors who already have access; null for others. */
  links: { listen: string; manage: string } | null;
  /** The page that sells the show as a gift; null if it is not for sale. */
  gift: string | null;
};

/** A positive number from the query, or undefined. */
function numberIn(query: URLSearchParams, name: string): number | undefined {
  const number = Number(query.get(name));
  return Number.isInteger(number) && number > 0 ? number : undefined;
}

/** The data of a product's page: `?season=2`, `?q=words` and `?page=2` select its episodes. */
export async function productPageData({ api, context, params, request, url }: Door) {
  const domain = domainOf(context, params.handle);
  if (domain === null) throw notFound();
  const query = url.searchParams;
  const [page = 1, season] = [numberIn(query, 'page'), numberIn(query, 'season')];
  const search = query.get('q')?.trim().slice(0, 100) || undefined;
  const result = await api.pages.product({ domain, slug: params.slug ?? '', page, season, search });
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
  const first = trailer ?? (isFront ? episodes.items[0] : undefined);
  const toListed = (episode: (typeof episodes.items)[number]) => toListedEpisode(episode, product.language, urls);
  const view = {
    metadata,
    feedUrl,
    qr: feedUrl === null ? null : await qrCodeOf(feedUrl),
    ...{ page, pages, season: season ?? null, seasons: result.seasons },
    search: isSearchable || search ? (search ?? '') : null,
    creator: toCreatorCard(creator),
    product: { ...toProductCard(product), id: product.id, description: splitAtLinks(product.description) },
    price: toPriceLabels(product, context, offersOf(result, context, query.get('coupon'))),
    /** Null if visitors can't follow the show, because it is paid or archived. */
    follow: product.isFree && product.archivedAt === null ? { isFollowed: result.isFollowed } : null,
    listings: listingsOf(product),
    featured: first ? { ...toListed(first), isTrailer: trailer !== null } : null,
    episodes: episodes.items.length > 0 ? pack(episodes.items.map(toListed)) : null,
  };
  return data(view, cacheTags(creator, [product]));
}

/** Each season and each page has its own URL; search results share the URL of the show's page. */
function canonicalQuery({ page, season, search }: { page: number; season?: number; search?: string }): string {
  if (search) return '';
  const query = [season !== undefined && `season=${season}`, page > 1 && `page=${page}`].filter(Boolean).join('&');
  return query && `?${query}`;
}

type FoundProduct = Extract<Awaited<ReturnType<Door['api']['pages']['product']>>, { moved: null }>;
type Buying = { pathOf(interval: Interval): string | null; links: PriceLabels['links']; gift: string | null };

/**
 * Links to the app, which sells the show; visitors who have already paid get no links. They pass `?coupon=CODE` on, so
 * that the form there is filled in. The page with a coupon is not cached, because anyone could fill the cache with
 * codes.
 */
function offersOf(
  { product, isOnSale, isSubscribed }: FoundProduct,
  { language, urls }: Door['context'],
  code: string | null,
): Buying {
  const { id: productId, hideSubscribeButton } = product;
  const paths = pathsIn(`/${language}`);
  const offers = isOnSale && !isSubscribed && !hideSubscribeButton;
  return {
    pathOf: (interval) => (offers ? withCoupon(urls.app(buyPath({ productId, interval, language })), code) : null),
    links: isSubscribed
      ? { listen: urls.app(paths.feedLinks(productId)), manage: urls.app(paths.subscriptions) }
      : null,
    gift: isOnSale && !hideSubscribeButton ? urls.app(`/${language}${BUY_GIFT_PATH}?product=${productId}`) : null,
  };
}

function withCoupon(address: string, code: string | null): string {
  return code
    ? `${address}&coupon=${encodeURIComponent(code.slice(0, BUYING_LIMITS.codeLength).toWellFormed())}`
    : address;
}

const NO_BUYING: Buying = { pathOf: () => null, links: null, gift: null };

/** The price of a product; null if it is free. It is formatted here, so that visitors load no texts. */
export function toPriceLabels(
  product: ApiProduct,
  { language, locale }: Reader,
  { pathOf, links, gift }: Buying = NO_BUYING,
): PriceLabels | null {
  const { kind, priceMinor, annualPriceMinor, annualSavingPercent, currency } = product;
  if (priceMinor === null) return null;
  const t = translator(language, 'public');
  const { sale } = KINDS[kind];
  const offer = (interval: Interval, minor: number, percent: number | null): Offer => ({
    interval,
    amount: t(`price.${interval}`, { amount: formatMoney({ minor, currency }, locale) }),
    saving: percent ? t('price.saving', { percent }) : null,
    path: pathOf(interval),
  });
  const offers = [offer(sale === 'subscription' ? 'month' : 'once', priceMinor, null)];
  if (annualPriceMinor !== null) offers.push(offer('year', annualPriceMinor, annualSavingPercent));
  const tBuying = translator(language, 'buying');
  const { trialDays, paysWhatTheyWant, earlyAccessDays, dripDays } = product;
  const notes = [
    ...(sale === 'subscription' && trialDays > 0 ? [t('price.trial', { count: trialDays })] : []),
    ...(paysWhatTheyWant ? [t('price.more')] : []),
    t(`price.access.${sale}`),
    ...(earlyAccessDays > 0 ? [tBuying('offer.early', { count: earlyAccessDays })] : []),
    ...(dripDays > 0 ? [tBuying('offer.drip', { count: dripDays })] : []),
    tBuying('bill.vat'),
  ];
  return { offers, access: notes.join(' '), links, gift };
}
