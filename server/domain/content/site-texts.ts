import { LANGUAGES, type Language } from '~/locales/languages';
import { notFound } from '../../base/errors';
import { type Entry, type EntryOf, entriesOf, type Library } from '../../content/library';
import { entryPath, webinarsPath } from '../../content/paths';
import type { Ctx } from '../../runtime/ctx';
import { publishedPosts } from './rules';
import type { FindNamedPage, FindText } from './schema';

/** A page of the site by its slug in any language, as the visitor's language has it. @throws not_found */
export async function findSitePage(ctx: Ctx, { slug }: FindText) {
  const library = await ctx.content.library();
  const { shown } = await findTranslated(ctx, slug, (language) => entriesOf(library, 'pages', language));
  return toSitePage(library, shown);
}

/** A page with an address of its own, such as `/manifesto`. @throws not_found */
export async function findNamedPage(ctx: Ctx, { name }: FindNamedPage) {
  const library = await ctx.content.library();
  const pagesIn = (language: Language) => entriesOf(library, 'pages', language).filter(({ id }) => id === name);
  const { shown } = await findTranslated(ctx, name, pagesIn);
  return toSitePage(library, shown);
}

function toSitePage(library: Library, shown: EntryOf<'pages'>) {
  const { slug, html, language, data, headings } = shown;
  const { title, description, next = null, updated = null } = data;
  return {
    slug,
    title,
    description,
    next,
    updated,
    html,
    language,
    headings,
    addresses: addressesOf(library, shown),
  };
}

/** A guide by its slug in any language. @throws not_found */
export async function findResource(ctx: Ctx, { slug }: FindText) {
  const library = await ctx.content.library();
  const { shown } = await findTranslated(ctx, slug, (language) => entriesOf(library, 'resources', language));
  const { html, language, data } = shown;
  const { title, description, next = null } = data;
  return { slug: shown.slug, title, description, next, html, language, addresses: addressesOf(library, shown) };
}

/**
 * A text by its slug in any language or by the name of its file, as the visitor's language has it.
 * `isTranslated`: it is in the visitor's language.
 * @throws not_found
 */
export async function findTranslated<T extends Entry>(
  ctx: Pick<Ctx, 'language'>,
  slug: string,
  textsIn: (language: Language) => T[],
): Promise<{ shown: T; isTranslated: boolean }> {
  const ordered = [ctx.language, ...LANGUAGES.filter((language) => language !== ctx.language)];
  const all = ordered.flatMap(textsIn);
  const named = all.find((each) => each.slug === slug) ?? all.find(({ id }) => id === slug);
  if (!named) throw notFound();
  const translated = all.find(({ id, language }) => id === named.id && language === ctx.language);
  return { shown: translated ?? named, isTranslated: translated !== undefined };
}

/**
 * The addresses of all texts with a page of their own, in each language that has them, for the sitemap. The page of
 * webinars is among them if there are any. The help is not, if the operator has a help centre elsewhere.
 */
export async function listAddresses(ctx: Listing): Promise<string[]> {
  const library = await ctx.content.library();
  return LANGUAGES.flatMap((language) => {
    const hasWebinars = entriesOf(library, 'webinars', language).length > 0;
    return [
      ...textsWithPages(ctx, library, language).flatMap((entry) => localPath(entry) ?? []),
      ...entriesOf(library, 'guides', language).flatMap((entry) => localPath(entry) ?? []),
      ...(hasWebinars ? [`/${language}${webinarsPath(language)}`] : []),
    ];
  });
}

/** The text at a path that begins with its language, such as `/es/blog/mudar-un-podcast`; null for other paths. */
export async function lookupTextAt(ctx: Listing, path: string): Promise<Entry | null> {
  const library = await ctx.content.library();
  const language = LANGUAGES.find((each) => path.startsWith(`/${each}/`));
  if (!language) return null;
  return textsWithPages(ctx, library, language).find((entry) => localPath(entry) === path) ?? null;
}

type Listing = Pick<Ctx, 'content' | 'now' | 'settings'>;

function textsWithPages(ctx: Listing, library: Library, language: Language): Entry[] {
  return [
    ...publishedPosts(entriesOf(library, 'posts', language), ctx.now()),
    ...entriesOf(library, 'pages', language),
    ...entriesOf(library, 'resources', language),
    ...entriesOf(library, 'hosts', language),
    ...entriesOf(library, 'legal', language),
    ...(ctx.settings.helpUrl ? [] : entriesOf(library, 'help', language)),
  ];
}

/** The path of a text in each language; without a translation, the one of the text that is shown instead. */
export function addressesOf({ entries }: Library, shown: Entry): Record<Language, string> {
  const pathIn = (language: Language) => {
    const { collection, id } = shown;
    const own = entries.find(
      (entry) => entry.collection === collection && entry.id === id && entry.language === language,
    );
    return localPath(own ?? shown) ?? '/';
  };
  return Object.fromEntries(LANGUAGES.map((language) => [language, pathIn(language)])) as Record<Language, string>;
}

function localPath(entry: Entry): string | null {
  const path = entryPath(entry);
  return path && `/${entry.language}${path}`;
}
