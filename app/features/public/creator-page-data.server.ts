import { data } from '@remix-run/node';
import type { Door } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/i18n.server';
import { shortened } from './excerpt';
import {
  addressesOf,
  cacheTags,
  creatorShown,
  listed,
  movedTo,
  placesHere,
  productShown,
  seriesData,
} from './page-data.server';
import type { PageFacts } from './page-meta';

const LATEST = 5;
const LOOKED_INTO = 3;

/** A creator's page, at their host's root and at `/@domain`. */
export async function creatorPageData({ api, context, request }: Door, domain: string) {
  const found = await api.creators.publicPage({ domain });
  if (found.moved) throw movedTo(context, request, found.moved);
  const { creator, products } = found;
  const t = translator(context.language, 'public');
  const about = creator.about ? shortened(creator.about.text, 160) : '';
  const facts: PageFacts = {
    title: creator.name,
    description: about || t('creator.description', { name: creator.name }),
    language: context.language,
    addresses: addressesOf(context, creator.domain, '/'),
    image: creator.avatar
      ? context.urls.media(creator.avatar.jpg)
      : products[0]
        ? context.urls.media(products[0].cover.jpg)
        : null,
    audio: null,
    feed: null,
    jsonLd: {
      '@context': 'https://schema.org',
      '@type': 'ProfilePage',
      mainEntity: { '@type': 'Person', name: creator.name, url: creator.url },
      hasPart: products.map((product) => seriesData(context, product, creator)),
    },
  };
  const latest = await latestOf({ api, request }, creator.domain, products);
  const shown = {
    is: 'creator' as const,
    facts,
    latest,
    creator: creatorShown(creator),
    products: products.map(productShown),
  };
  return data(shown, cacheTags(creator, products));
}

/** What came out last in the newest products. */
async function latestOf({ api, request }: Pick<Door, 'api' | 'request'>, domain: string, products: { slug: string }[]) {
  const pages = await Promise.all(
    products.slice(0, LOOKED_INTO).map(({ slug }) => api.products.publicPage({ domain, slug, page: 1 })),
  );
  const episodes = pages.flatMap((found) => (found.moved ? [] : found.episodes.items));
  const newest = episodes.sort((a, b) => Number(b.releaseDate) - Number(a.releaseDate)).slice(0, LATEST);
  return newest.map((episode) => listed(episode, placesHere(request)));
}
