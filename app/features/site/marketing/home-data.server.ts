import { data } from '@remix-run/node';
import {
  type ApiProduct,
  type ListedEpisode,
  toListedEpisode,
  urlsFromApp,
} from '~/app/features/site/public/page-data.server';
import { type PageMetadata, urlPerLanguage } from '~/app/features/site/public/page-meta';
import { type ShelfShow, toPopularView, toShelfShow } from '~/app/features/site/public/shelf-data.server';
import { sitePictureOf } from '~/app/features/site/public/site-picture.server';
import type { Door } from '~/app/lib/doors.server';
import { prefixOf } from '~/app/lib/site-paths';
import { translator } from '~/app/lib/texts.server';
import { siteLinks, sitePagePath } from './site-links.server';
import { softwareData } from './software-data.server';

export type HomeScreen = NonNullable<Awaited<ReturnType<Door['api']['pages']['home']>>['screen']>;
export type HomeSample = { product: ShelfShow; episode: ListedEpisode };

/** The data of the home page: an episode to play, and the shows on the shelves. */
export async function homeData(door: Door) {
  const { api, context, request } = door;
  const t = translator(context.language, 'marketing');
  const { urls, language } = context;
  const { sample, shelf, popular, featured, screen } = await api.pages.home();
  const metadata: PageMetadata = {
    title: t('home.title'),
    description: t('home.description'),
    language,
    urls: urlPerLanguage((prefix) => urls.app(prefix ? `/${prefix}` : '/')),
    image: await sitePictureOf(door, `/${language}`),
    audio: null,
    feed: null,
  };
  context.structuredData.json = JSON.stringify({
    '@context': 'https://schema.org',
    '@graph': [{ '@type': 'Organization', name: 'Altavoz', url: urls.app('/') }, softwareData(door)],
  });
  const view = {
    page: 'home' as const,
    metadata,
    links: siteLinks(door),
    hosts: sitePagePath(prefixOf(door.url.pathname), 'moving'),
    screen,
    featured: featured.map((product) => toShelfShow(door, product)),
    shelf: newest(shelf, [...featured, ...popular.trending]).map((product) => toShelfShow(door, product)),
    popular: toPopularView(door, popular),
    sample: sample && {
      product: toShelfShow(door, sample.product),
      episode: toListedEpisode(
        sample.episode,
        sample.product.language,
        urlsFromApp(context, request, sample.product.creator.domain),
      ),
    },
  };
  // a new show appears when the cached page expires; changes to a listed show purge it at once
  const listed = [...(sample ? [sample.product] : []), ...shelf, ...popular.trending, ...featured];
  const tags = new Set(listed.flatMap(({ id, creator }) => [`product:${id}`, `creator:${creator.id}`]));
  return data(view, { headers: { 'x-cache-tags': ['home', ...tags].join(' ') } });
}

const ROW = 4;

/** The newest shows that the shelves above don't list, in full rows; fewer shows than a row are better than none. */
function newest(shelf: ApiProduct[], above: ApiProduct[]): ApiProduct[] {
  const shown = new Set(above.map(({ id }) => id));
  const others = shelf.filter(({ id }) => !shown.has(id));
  const full = others.slice(0, others.length - (others.length % ROW));
  return full.length === 0 && shown.size < ROW ? others : full;
}
