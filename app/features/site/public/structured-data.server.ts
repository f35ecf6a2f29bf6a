import type { AppLoadContext } from '@remix-run/node';
import { isoDuration } from '~/app/lib/clock';
import { toDecimal } from '~/server/base/money';
import { KINDS } from '~/server/domain/products/kinds';
import type { Caller } from '~/server/trpc/caller';
import { toExcerpt, truncate } from './excerpt';
import type { ApiCreator, ApiEpisode, ApiProduct, ProductAnswer } from './page-data.server';

/**
 * A page's structured data for search engines, in the terms of schema.org. The component that writes it escapes `<`.
 */

const TEXT = 1000;
type EpisodeAnswer = Extract<Awaited<ReturnType<Caller['pages']['episode']>>, { moved: null }>;

/** The structured data of a product's page. */
export function productJson(context: AppLoadContext, { episodes, feedUrl, ...show }: ProductAnswer): string {
  return JSON.stringify({
    '@context': 'https://schema.org',
    ...seriesData(context, show),
    webFeed: feedUrl ?? undefined,
    episode: episodes.items.map((episode) => episodeData(context, episode, show.product)),
  });
}

/** The structured data of an episode's page. */
export function episodeJson(context: AppLoadContext, { episode, feedUrl, ...show }: EpisodeAnswer): string {
  return JSON.stringify({
    '@context': 'https://schema.org',
    ...episodeData(context, episode, show.product),
    partOfSeries: { ...seriesData(context, show), webFeed: feedUrl ?? undefined },
  });
}

type Series = { product: ApiProduct; creator: ApiCreator; isOnSale: boolean };

/**
 * schema.org's PodcastSeries, without its feed. `isOnSale`: whether its prices are offers. The page of a creator asks
 * only whether the installation takes payments; the show's own page also asks whether the plan has room for buyers.
 */
export function seriesData(context: AppLoadContext, { product, creator, isOnSale }: Series) {
  const { urls } = context;
  const url = urls.product(creator.domain, product.slug);
  return {
    '@type': 'PodcastSeries',
    name: product.name,
    url,
    description: truncate(product.description, TEXT),
    image: urls.media(product.cover.jpg),
    inLanguage: product.language,
    isAccessibleForFree: product.isFree,
    isFamilyFriendly: !product.explicit,
    offers: isOnSale ? offersOf(product, url) : undefined,
    author: { '@type': 'Person', name: creator.name, url: creator.url },
  };
}

/** The prices of a paid product. Undefined values are left out of the JSON. */
function offersOf({ kind, priceMinor, annualPriceMinor, currency }: ApiProduct, url: string) {
  if (priceMinor === null) return undefined;
  const offer = (minor: number, months: number | null) => ({
    '@type': 'Offer',
    url,
    price: toDecimal(minor),
    priceCurrency: currency.toUpperCase(),
    availability: 'https://schema.org/InStock',
    ...(months && {
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        price: toDecimal(minor),
        priceCurrency: currency.toUpperCase(),
        billingDuration: `P${months}M`,
      },
    }),
  });
  if (KINDS[kind].sale === 'purchase') return [offer(priceMinor, null)];
  return [offer(priceMinor, 1), ...(annualPriceMinor === null ? [] : [offer(annualPriceMinor, 12)])];
}

/** schema.org's PodcastEpisode. */
function episodeData({ urls }: AppLoadContext, episode: ApiEpisode, product: ApiProduct) {
  const { durationSeconds, creator, season, number } = episode;
  const isFree = product.isFree || (episode.type !== 'private' && episode.earlyUntil === null);
  const duration = durationSeconds === null ? undefined : isoDuration(durationSeconds);
  const media = episode.url && {
    '@type': 'AudioObject',
    contentUrl: episode.url,
    encodingFormat: 'audio/mpeg',
    duration,
    isAccessibleForFree: isFree,
  };
  return {
    '@type': 'PodcastEpisode',
    name: episode.name,
    url: urls.episode(creator.domain, episode.product.slug, episode.slug),
    description: toExcerpt(episode.description, TEXT),
    datePublished: episode.releaseDate?.toISOString(),
    inLanguage: product.language,
    isAccessibleForFree: isFree,
    timeRequired: duration,
    episodeNumber: number ?? undefined,
    partOfSeason: season === null ? undefined : { '@type': 'PodcastSeason', seasonNumber: season },
    image: urls.media(episode.cover.jpg),
    associatedMedia: media || undefined,
  };
}
