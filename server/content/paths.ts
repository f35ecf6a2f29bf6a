import { LANGUAGES, type Language } from '~/locales/languages';
import { SITE_SLUGS, type SitePage } from '~/locales/site-slugs';
import { API_DOCS_PATH } from '../base/public-paths';
import { isLegalPage, NAMED_PAGES, type NamedPage } from '../limits/content';
import type { Collection } from './collections';

export const PICTURES_PATH = '/content-pictures';

/** The texts with addresses below a page of the site. */
const BELOW = { posts: 'blog', resources: 'resources', help: 'help', hosts: 'moving' } as const satisfies Partial<
  Record<Collection, SitePage>
>;

type Named = { collection: Collection; id: string; slug: string; language: Language };

/** Without the language. Null for texts that are parts of another page. */
export function entryPath({ collection, id, slug, language }: Named): string | null {
  if (collection === 'guides') return `${API_DOCS_PATH}/${slug}`;
  if (isBelow(collection)) return `/${SITE_SLUGS[BELOW[collection]][language]}/${slug}`;
  if (collection === 'legal') return isLegalPage(id) ? `/${SITE_SLUGS[id][language]}` : null;
  if (collection !== 'pages') return null;
  return isNamedPage(id) ? `/${SITE_SLUGS[id][language]}` : `/pages/${slug}`;
}

const isBelow = (collection: Collection): collection is keyof typeof BELOW => collection in BELOW;
const isNamedPage = (id: string): id is NamedPage => NAMED_PAGES.some((name) => name === id);

/** The collection with addresses below a page of the site, or below `/pages`. */
export function collectionBelow(page: SitePage | null, segment: string): Collection | null {
  if (segment === 'pages') return 'pages';
  if (`/${segment}` === API_DOCS_PATH) return 'guides';
  const collections = Object.keys(BELOW) as (keyof typeof BELOW)[];
  return collections.find((collection) => BELOW[collection] === page) ?? null;
}

/** The page of the site whose slug, in any language, is the first part of a path. */
export function sitePageAt(segment: string): SitePage | null {
  const names = Object.keys(SITE_SLUGS) as SitePage[];
  return names.find((name) => LANGUAGES.some((language) => SITE_SLUGS[name][language] === segment)) ?? null;
}

/** Of the list of webinars, without the language. */
export const webinarsPath = (language: Language): string => `/${SITE_SLUGS.webinars[language]}`;

/** The pages whose titles are no texts in files, by their paths with the language. */
const TITLED = new Map(
  LANGUAGES.flatMap((language): [string, string][] => [
    [`/${language}`, 'home'],
    [`/${language}/contact`, 'contact'],
    [`/${language}/podcatcher`, 'podcatcher'],
    ...(Object.keys(SITE_SLUGS) as SitePage[])
      .filter((page) => !isNamedPage(page) && !isLegalPage(page))
      .map((page): [string, string] => [`/${language}/${SITE_SLUGS[page][language]}`, page]),
  ]),
);

/** The name of such a page; null for any other path. */
export const titledPageAt = (path: string): string | null => TITLED.get(path) ?? null;
