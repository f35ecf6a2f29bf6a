import { data } from '@remix-run/node';
import { type ListedEpisode, toListedEpisode, urlsFromApp } from '~/app/features/public/page-data.server';
import { type PageMetadata, urlPerLanguage } from '~/app/features/public/page-meta';
import type { Door } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';
import type { CoverUrls } from '~/server/domain/media/rules';

const PRODUCT_COUNT = 6;

export type HomeProduct = { id: number; name: string; creator: string; cover: CoverUrls; url: string };
export type HomeSample = { product: HomeProduct; episode: ListedEpisode };

/** The data of the home page: the latest products, and an episode to play if one is published. */
export async function homeData({ api, context, request }: Door) {
  const t = translator(context.language, 'marketing');
  const { urls, language } = context;
  const products = await api.products.discover({ pageSize: PRODUCT_COUNT });
  const latestProducts: HomeProduct[] = products.map(({ id, name, slug, cover, creator }) => ({
    id,
    name,
    cover,
    creator: creator.name,
    url: urlsFromApp(context, request, creator.domain).product(slug),
  }));
  const metadata: PageMetadata = {
    title: t('home.title'),
    description: t('home.description'),
    language,
    urls: urlPerLanguage((prefix) => urls.app(prefix ? `/${prefix}` : '/')),
    image: null,
    audio: null,
    feed: null,
    jsonLd: { '@context': 'https://schema.org', '@type': 'Organization', name: 'Altavoz', url: urls.app('/') },
  };
  const view = {
    page: 'home' as const,
    metadata,
    latestProducts,
    sample: await findSample({ api, context, request }, products, latestProducts),
  };
  // a new product appears when the cached page expires; changes to a listed product purge it at once
  const tags = ['home', ...products.flatMap(({ id, creator }) => [`product:${id}`, `creator:${creator.id}`])];
  return data(view, { headers: { 'x-cache-tags': tags.join(' ') } });
}

/** The newest product's trailer or first playable episode, for the top of the page. */
async function findSample(
  { api, context, request }: Pick<Door, 'api' | 'context' | 'request'>,
  products: { slug: string; language: string; creator: { domain: string } }[],
  latestProducts: HomeProduct[],
): Promise<HomeSample | null> {
  const [first] = products;
  const [product] = latestProducts;
  if (!first || !product) return null;
  const page = await api.pages.product({ domain: first.creator.domain, slug: first.slug, page: 1 });
  const episode = page.moved ? null : (page.trailer ?? page.episodes.items[0]);
  return episode
    ? {
        product,
        episode: toListedEpisode(episode, first.language, urlsFromApp(context, request, first.creator.domain)),
      }
    : null;
}
