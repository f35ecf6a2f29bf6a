import { LANGUAGES, type Language } from '~/locales/languages';
import { SITE_SLUGS } from '~/locales/site-slugs';
import { slugOfText } from '../base/public-paths';
import type { Collection } from './collections';
import type { ContentProblem, Entry, Library, Picture } from './library';
import { type ContentFile, type ParsedFile, parseFile, renderFile } from './parse-entry';
import { collectionBelow, entryPath, sitePageAt } from './paths';
import type { RenderTools } from './render-markdown';

type Sources = {
  /** Ours first; a later file of the same name, language and collection replaces an earlier one. */
  files: ContentFile[];
  pictures: Picture[];
  /** First parts of the addresses of all other pages. */
  sitePaths: ReadonlySet<string>;
  /** Files that could not be read. */
  problems?: ContentProblem[];
};

/** Texts that link to each other. A broken file is reported, and the others are used. */
export async function buildLibrary({ files, pictures, sitePaths, problems: unread = [] }: Sources): Promise<Library> {
  const problems = [...unread];
  const parsed = new Map<string, ParsedFile>();
  for (const file of files) {
    try {
      parsed.set(keyOf(file), await parseFile(file));
    } catch (error) {
      problems.push({ file: file.file, problem: messageOf(error) });
    }
  }
  const unique = withoutTakenSlugs([...parsed.values()], problems);
  const known = new Map(pictures.map((picture) => [picture.name, picture]));
  const entries: Entry[] = [];
  for (const file of unique) {
    const tools = {
      resolve: (path: string) => resolveLink(path, file.language, { files: unique, sitePaths }),
      picture: (name: string) => known.get(name),
    };
    try {
      const { entry, problems: found } = await renderFile(file, tools);
      // the front matter was checked by the schema of its collection
      entries.push(withNextStep(entry as Entry, tools));
      for (const problem of found) problems.push({ file: file.file, problem });
    } catch (error) {
      problems.push({ file: file.file, problem: messageOf(error) });
    }
  }
  problems.push(...missingTranslations(unique), ...brokenSteps(unique, sitePaths));
  return { entries, pictures: known, problems };
}

/** The next step of a text leads to the page in its language. Broken ones are reported below. */
function withNextStep(entry: Entry, { resolve }: Pick<RenderTools, 'resolve'>): Entry {
  const inLanguage = (to: string) => (to.startsWith('/') ? (resolve(to) ?? to) : to);
  const { data } = entry;
  const next = 'next' in data && data.next ? { next: { ...data.next, to: inLanguage(data.next.to) } } : {};
  const to = 'to' in data && data.to ? { to: inLanguage(data.to) } : {};
  return { ...entry, data: { ...data, ...next, ...to } } as Entry;
}

const keyOf = ({ language, collection, id }: Pick<ContentFile, 'language' | 'collection' | 'id'>) =>
  [language, collection, id].join('/');
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Of two texts with one address, the first one keeps it. */
function withoutTakenSlugs(files: ParsedFile[], problems: ContentProblem[]): ParsedFile[] {
  const taken = new Map<string, string>();
  return files.filter((file) => {
    const address = keyOf({ ...file, id: file.slug });
    const owner = taken.get(address);
    if (owner === undefined) taken.set(address, file.file);
    else problems.push({ file: file.file, problem: `the slug ${file.slug} is the one of ${owner}` });
    return owner === undefined;
  });
}

type Targets = { files: ParsedFile[]; sitePaths: ReadonlySet<string> };

/**
 * The address in a language of a link that names no language, such as `/blog/moving-a-show`: with the name of the file,
 * or with its slug in any language. Null if nothing is there.
 */
export function resolveLink(link: string, language: Language, { files, sitePaths }: Targets): string | null {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/.exec(link) ?? [];
  const [first = '', second, ...more] = path.slice(1).split('/');
  if (first === '') return `/${language}${rest}`;
  const page = sitePageAt(first);
  const collection = collectionBelow(page, first);
  if (collection && second !== undefined && more.length === 0) {
    const found = findFile(files, { collection, name: second, language });
    const address = found && entryPath(found);
    return address ? `/${language}${address}${rest}` : null;
  }
  if (page === 'blog' && second === 'tag' && more.length === 1)
    return hasTag(files, more[0]!, language) ? `/${language}${path}${rest}` : null;
  if (page && second === undefined) return `/${language}/${SITE_SLUGS[page][language]}${rest}`;
  return !page && sitePaths.has(first) ? `/${language}${path}${rest}` : null;
}

type Wanted = { collection: Collection; name: string; language: Language };

/** In the wanted language, or in another one if there is no translation. */
function findFile(files: ParsedFile[], { collection, name, language }: Wanted): ParsedFile | undefined {
  const named = files.find((file) => file.collection === collection && (file.id === name || file.slug === name));
  return named && (files.find((file) => keyOf(file) === keyOf({ ...named, language })) ?? named);
}

const hasTag = (files: ParsedFile[], slug: string, language: Language): boolean =>
  files.some(
    ({ data, language: of }) => of === language && 'tags' in data && data.tags.some((tag) => slugOfText(tag) === slug),
  );

function missingTranslations(files: ParsedFile[]): ContentProblem[] {
  const keys = new Set(files.map(keyOf));
  return files.flatMap((file) =>
    LANGUAGES.filter((language) => !keys.has(keyOf({ ...file, language }))).map((language) => ({
      file: file.file,
      problem: `there is no translation at ${language}/${file.collection}/${file.id}.md`,
    })),
  );
}

/** Links in the front matter. */
function brokenSteps(files: ParsedFile[], sitePaths: ReadonlySet<string>): ContentProblem[] {
  return files.flatMap(({ file, data, language }) => {
    const links = ['next' in data ? data.next?.to : null, 'to' in data ? data.to : null];
    return links
      .filter((to): to is string => typeof to === 'string' && to.startsWith('/'))
      .filter((to) => resolveLink(to, language, { files, sitePaths }) === null)
      .map((to) => ({ file, problem: `the link ${to} leads nowhere` }));
  });
}
