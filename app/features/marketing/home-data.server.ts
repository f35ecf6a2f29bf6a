import { data } from '@remix-run/node';
import { type ListedEpisode, listed, placesOf } from '~/app/features/public/page-data.server';
import type { PageFacts } from '~/app/features/public/page-meta';
import type { Door } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/i18n.server';
import type { CoverUrls } from '~/server/domain/media/rules';

const SHELF = 6;

export type ShelvedProduct = { id: number; name: string; creator: string; cover: CoverUrls; url: string };
export type HomeSample = { product: ShelvedProduct; episode: ListedEpisode };

/** What the home page shows: what Altavoz is, and something to hear where anything is published. */
export async function homeData({ api, context, request }: Door) {
  const t = translator(context.language, 'marketing');
  const { urls, language } = context;
  const products = await api.products.discover({ pageSize: SHELF });
  const shelf: ShelvedProduct[] = products.map(({ id, name, slug, cover, creator }) => ({
    id,
    name,
    cover,
    creator: creator.name,
    url: placesOf(context, request, creator.domain).product(slug),
  }));
  const facts: PageFacts = {
    title: t('home.title'),
    description: t('home.description'),
    language,
    addresses: { en: urls.app('/'), es: urls.app('/es') },
    image: null,
    audio: null,
    feed: null,
    jsonLd: { '@context': 'https://schema.org', '@type': 'Organization', name: 'Altavoz', url: urls.app('/') },
  };
  const shown = {
    is: 'home' as const,
    facts,
    shelf,
    sample: await sampleOf({ api, context, request }, products, shelf),
  };
  // a product that is new here shows when the cache's time is over; what is shown already changes at once
  const tags = ['home', ...products.flatMap(({ id, creator }) => [`product:${id}`, `creator:${creator.id}`])];
  return data(shown, { headers: { 'x-cache-tags': tags.join(' ') } });
}

/** The newest product's trailer or first episode to hear, right in the head of the page. */
async function sampleOf(
  { api, context, request }: Pick<Door, 'api' | 'context' | 'request'>,
  products: { slug: string; creator: { domain: string } }[],
  shelf: ShelvedProduct[],
): Promise<HomeSample | null> {
  const [first] = products;
  const [product] = shelf;
  if (!first || !product) return null;
  const found = await api.pages.product({ domain: first.creator.domain, slug: first.slug, page: 1 });
  const episode = found.moved ? null : (found.trailer ?? found.episodes.items[0]);
  return episode ? { product, episode: listed(episode, placesOf(context, request, first.creator.domain)) } : null;
}
