import { redirect } from '@remix-run/node';
import type { PageMetadata } from '~/app/features/site/public/page-meta';
import { sitePictureOf } from '~/app/features/site/public/site-picture.server';
import { notFound } from '~/app/features/site/site/not-found.server';
import type { Door } from '~/app/lib/doors.server';
import { type Prefix, prefixOf, sitePathsIn } from '~/app/lib/site-paths';
import { translator } from '~/app/lib/texts.server';
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '~/locales/languages';

/** Pages that show texts of the site: a change of the files renders them again. */
export const CONTENT_TAGS = { headers: { 'x-cache-tags': 'content' } };

/** @throws a 404 response if the schema rejects what the address names */
export async function orNotFound<T>({ context }: Door, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw context.describeError(error).kind === 'invalid' ? notFound() : error;
  }
}

type Addressed = { slug: string; addresses: Record<Language, string> };

/** A text at its address in the language of the page; other spellings redirect there. */
export async function textAt<T extends Addressed>(door: Door, find: (slug: string) => Promise<T>): Promise<T> {
  const slug = door.params.slug ?? '';
  const text = await orNotFound(door, find(slug));
  if (text.slug === slug) return text;
  throw redirectTo(door, text);
}

/** Leads to a text's address in the language of the page, with a prefix if the page has one. */
export function redirectTo({ context, url }: Door, { addresses }: Pick<Addressed, 'addresses'>): Response {
  const address = addresses[context.language];
  return redirect(prefixOf(url.pathname) ? address : address.slice(context.language.length + 1), 301);
}

/** `shares`: the path of the page whose picture for links it has, instead of one of its own. */
type Described = { title: string; description: string; language: Language; shares?: string };

export async function textMetadata(
  door: Door,
  { title, description, language, shares }: Described,
  addresses: Record<Language, string>,
): Promise<PageMetadata> {
  const { urls } = door.context;
  const withoutLanguage = addresses[DEFAULT_LANGUAGE].replace(/^\/[a-z]{2}(?=\/)/, '');
  return {
    title: `${title} · Altavoz`,
    description,
    language,
    urls: {
      ...{ en: urls.app(addresses.en), es: urls.app(addresses.es) },
      'x-default': urls.app(withoutLanguage),
    },
    image: await sitePictureOf(door, shares ?? addresses[language]),
    audio: null,
    feed: null,
  };
}

export const feedOf = ({ context }: Door) => ({
  title: translator(context.language, 'blog')('feed'),
  url: context.urls.app(`${sitePathsIn(`/${context.language}`).blog}/feed.xml`),
});

type Crumb = { name: string; path: string };

/** schema.org's description of a page of texts: its place in the site, and what it is. */
export function describeText({ context }: Pick<Door, 'context'>, crumbs: Crumb[], ...what: object[]): void {
  const { urls, language } = context;
  const home = { name: 'Altavoz', path: sitePathsIn(`/${language}`).home };
  const trail = {
    '@type': 'BreadcrumbList',
    itemListElement: [home, ...crumbs].map(({ name, path }, i) => ({
      '@type': 'ListItem',
      position: i + 1,
      name,
      item: urls.app(path),
    })),
  };
  context.structuredData.json = JSON.stringify({
    '@context': 'https://schema.org',
    '@graph': [trail, ...what],
  });
}

/** `pathIn`: the page's address below a language's prefix, or below none. */
type SitePage = { title: string; description: string; pathIn: (prefix: Prefix) => string };

/** The metadata of a page of the site, one crumb below the home page. `what`: it by schema.org. */
export function sitePageMetadata(
  door: Door,
  { title, description, pathIn }: SitePage,
  ...what: object[]
): Promise<PageMetadata> {
  const { language } = door.context;
  const addresses = Object.fromEntries(LANGUAGES.map((each) => [each, pathIn(`/${each}`)])) as Record<Language, string>;
  describeText(door, [{ name: title, path: addresses[language] }], ...what);
  return textMetadata(door, { title, description, language }, addresses);
}
