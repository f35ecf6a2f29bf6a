import { data } from '@remix-run/node';
import { describeText } from '~/app/features/site/blog/text-metadata.server';
import { siteLinks } from '~/app/features/site/marketing/site-links.server';
import { truncate } from '~/app/features/site/public/excerpt';
import { priceLabel } from '~/app/features/site/public/offer-labels.server';
import { toListedEpisode, urlsFromApp } from '~/app/features/site/public/page-data.server';
import { type PageMetadata, urlPerLanguage } from '~/app/features/site/public/page-meta';
import { numberIn, toPassages } from '~/app/features/site/public/passages.server';
import { toPopularView, toShelfShow } from '~/app/features/site/public/shelf-data.server';
import { sitePictureOf } from '~/app/features/site/public/site-picture.server';
import { notFound } from '~/app/features/site/site/not-found.server';
import type { Door } from '~/app/lib/doors.server';
import { pack } from '~/app/lib/packed';
import { pathsIn } from '~/app/lib/paths';
import { searchedWords } from '~/app/lib/searched-words';
import { translator } from '~/app/lib/texts.server';
import type { Language } from '~/locales/languages';
import { KIND_NAMES } from '~/server/domain/products/kinds';
import { CATEGORIES } from '~/server/feed/apple-categories';
import type { Caller } from '~/server/trpc/caller';

type DiscoverAnswer = Awaited<ReturnType<Caller['pages']['discover']>>;
type DiscoverItem = DiscoverAnswer['items'][number];

/** The parameters of the query, named like those of the REST call. Links leave out empty ones. */
const PARAMETERS = ['search', 'category', 'language', 'type', 'price', 'ordering'] as const;
export type DiscoverQuery = Record<(typeof PARAMETERS)[number], string>;
export type Option = { value: string; label: string };

const EXCERPT = 140;

/** The data of the discovery page: the filters and a page of the shows that they select. */
export async function discoverData(door: Door) {
  const { context, url } = door;
  const given = Object.fromEntries(PARAMETERS.map((name) => [name, url.searchParams.get(name) ?? ''])) as DiscoverQuery;
  const query = { ...given, search: searchedWords(url.searchParams) };
  const page = url.searchParams.get('page') ?? '';
  const [found, passages] = await Promise.all([findShows(door, query, page), findPassages(door, query)]);
  const pages = Math.max(1, Math.ceil(found.total / found.pageSize));
  if (found.page > pages) throw notFound();
  const t = translator(context.language, 'discover');
  const heading = headingOf(query, context.language) ?? t('title');
  const metadata: PageMetadata = {
    title: `${heading} · Altavoz`,
    description: t('description'),
    language: context.language,
    urls: addressesOf(door, query, found.page),
    image: await sitePictureOf(door, pathsIn(`/${context.language}`).discover),
    audio: null,
    feed: null,
    isUnlisted: query.search !== '',
  };
  describeShows(door, query, found);
  const { total, isCapped, corrected } = found;
  const view = {
    metadata,
    links: siteLinks(door),
    query,
    page: found.page,
    pages,
    total,
    isCapped,
    corrected,
    options: optionsOf(context.language, found.languages),
    popular: found.popular && toPopularView(door, found.popular),
    featured: found.featured.map((product) => toShelfShow(door, product)),
    shows: pack(found.items.map((product) => toShow(door, product))),
    passages:
      passages &&
      toPassages(passages, {
        urlsOf: ({ creator }) => urlsFromApp(context, door.request, creator.domain),
        isMixed: true,
      }),
  };
  return data(view, { headers: { 'x-cache-tags': 'discover' } });
}

/** schema.org's description of the page: its category, if it has one, and the shows that it lists. */
function describeShows(door: Door, query: DiscoverQuery, found: DiscoverAnswer): void {
  const { context } = door;
  const { discover } = pathsIn(`/${context.language}`);
  const category = headingOf(query, context.language);
  const crumbs = [{ name: translator(context.language, 'discover')('title'), path: discover }];
  if (category) crumbs.push({ name: category, path: `${discover}?category=${query.category}` });
  describeText(door, crumbs, {
    '@type': 'ItemList',
    itemListElement: found.items.map(({ name, slug, creator }, at) => ({
      '@type': 'ListItem',
      position: (found.page - 1) * found.pageSize + at + 1,
      name,
      url: context.urls.product(creator.domain, slug),
    })),
  });
}

/** @throws a 404 response if the schema rejects a filter */
async function findShows(
  { api, context }: Door,
  { type, ...filters }: DiscoverQuery,
  page: string,
): Promise<DiscoverAnswer> {
  try {
    // the schema checks every value
    return await api.pages.discover({ ...filters, kind: type, page } as Parameters<typeof api.pages.discover>[0]);
  } catch (error) {
    throw context.describeError(error).kind === 'invalid' ? notFound() : error;
  }
}

/** Where the words are said; null without words. @throws a 404 response if the schema rejects a filter */
async function findPassages({ api, context, url }: Door, { search, type, category, language, price }: DiscoverQuery) {
  if (search === '') return null;
  const asked = { search, kind: type, category, language, price, part: numberIn(url.searchParams, 'passages') };
  try {
    return await api.pages.discoverPassages(asked as Parameters<typeof api.pages.discoverPassages>[0]);
  } catch (error) {
    throw context.describeError(error).kind === 'invalid' ? notFound() : error;
  }
}

/** The page's URL in each language, without empty parameters and the number of the first page. */
function addressesOf({ context }: Door, query: DiscoverQuery, page: number) {
  const kept = Object.entries({ ...query, page: page > 1 ? String(page) : '' }).filter(([, value]) => value !== '');
  const search = kept.length > 0 ? `?${new URLSearchParams(kept)}` : '';
  return urlPerLanguage((language) => context.urls.app(pathsIn(language ? `/${language}` : '').discover + search));
}

function headingOf({ category }: DiscoverQuery, language: Language): string | null {
  const found = CATEGORIES.find(({ id, slug }) => slug === category || String(id) === category);
  return found ? nameIn(found, language) : null;
}

const nameIn = (category: { name: string; nameEs: string }, language: Language) =>
  language === 'es' ? category.nameEs : category.name;

/** The options of the filters: Apple's categories in their order, and the languages of all shows. */
function optionsOf(language: Language, languages: string[]): Record<'category' | 'language' | 'type', Option[]> {
  const names = new Intl.DisplayNames([language], { type: 'language' });
  const capital = (name: string) => name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
  const t = translator(language, 'discover');
  return {
    category: CATEGORIES.map((category) => ({
      value: category.slug,
      label: `${category.parentId === null ? '' : '– '}${nameIn(category, language)}`,
    })),
    language: languages
      .map((code) => ({ value: code, label: capital(names.of(code) ?? code) }))
      .sort((a, b) => a.label.localeCompare(b.label, language)),
    type: KIND_NAMES.map((kind) => ({ value: kind, label: t(`type.${kind}`) })),
  };
}

export type FoundShow = ReturnType<typeof toShow>;

function toShow({ context, request }: Door, product: DiscoverItem) {
  const urls = urlsFromApp(context, request, product.creator.domain);
  const { id, name, kind, language, cover, fullEpisodesCount, creator, explicit, toPlay, matching } = product;
  const toListed = (episode: DiscoverItem['matching'][number]) => ({
    ...toListedEpisode(episode, language, urls),
    url: urls.episode(episode.product.slug, episode.slug),
    cover: episode.cover.webp[96],
  });
  return {
    id,
    name,
    kind,
    language,
    cover,
    episodesCount: fullEpisodesCount,
    explicit,
    url: urls.product(product.slug),
    creator: { name: creator.name, url: urls.creator },
    excerpt: truncate(product.description, EXCERPT),
    price: priceLabel(product, context),
    track: toPlay && toListed(toPlay).track,
    matching: matching.map(toListed),
  };
}
