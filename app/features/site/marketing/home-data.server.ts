import { data } from '@remix-run/node';
import {
  type ApiProduct,
  type ListedEpisode,
  toListedEpisode,
  urlsFromApp,
} from '~/app/features/site/public/page-data.server';
import { type PageMetadata, urlPerLanguage } from '~/app/features/site/public/page-meta';
import type { Door } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';
import type { CoverUrls } from '~/server/domain/media/rules';

export type HomeProduct = {
  id: number;
  name: string;
  language: string;
  creator: string;
  cover: CoverUrls;
  url: string;
};
export type HomeSample = { product: HomeProduct; episode: ListedEpisode };

/** The data of the home page: an episode to play, and the shows on the shelf. */
export async function homeData({ api, context, request }: Door) {
  const t = translator(context.language, 'marketing');
  const { urls, language } = context;
  const { sample, shelf } = await api.pages.home();
  const toHomeProduct = ({ id, name, language, slug, cover, creator }: ApiProduct): HomeProduct => ({
    id,
    name,
    language,
    cover,
    creator: creator.name,
    url: urlsFromApp(context, request, creator.domain).product(slug),
  });
  const metadata: PageMetadata = {
    title: t('home.title'),
    description: t('home.description'),
    language,
    urls: urlPerLanguage((prefix) => urls.app(prefix ? `/${prefix}` : '/')),
    image: null,
    audio: null,
    feed: null,
  };
  context.structuredData.json = JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name: 'Altavoz',
    url: urls.app('/'),
  });
  const view = {
    page: 'home' as const,
    metadata,
    shelf: shelf.map(toHomeProduct),
    sample: sample && {
      product: toHomeProduct(sample.product),
      episode: toListedEpisode(
        sample.episode,
        sample.product.language,
        urlsFromApp(context, request, sample.product.creator.domain),
      ),
    },
  };
  // a new show appears when the cached page expires; changes to a listed show purge it at once
  const listed = sample ? [sample.product, ...shelf] : shelf;
  const tags = new Set(listed.flatMap(({ id, creator }) => [`product:${id}`, `creator:${creator.id}`]));
  return data(view, { headers: { 'x-cache-tags': ['home', ...tags].join(' ') } });
}
