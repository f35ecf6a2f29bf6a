import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { LANGUAGES } from '~/locales/languages';
import { buildLibrary } from '../content/build-library';
import { COLLECTION_NAMES, isEntryId } from '../content/collections';
import type { ContentProblem, ContentSource, Library, Picture } from '../content/library';
import type { ContentFile } from '../content/parse-entry';
import { CONTENT_LIMITS as LIMITS } from '../limits/content';
import { STUDIO_PAGES } from '../policy/studio-pages';
import type { Log } from '../watching/log';

/** Our own texts, in the folder where the process runs. */
export const OWN_CONTENT = 'content';
const PICTURES = 'pictures';
const PICTURE = /^[a-z\d][a-z\d-]{0,79}\.(?:png|jpg|webp|avif)$/;

/** First parts of the addresses of other pages, to which texts may link. */
const SITE_PATHS: ReadonlySet<string> = new Set([
  ...'login register contact report feed podcatcher account profile billing plans start saved gift spotify admin leaving newsletter-settings developers'.split(
    ' ',
  ),
  ...Object.values(STUDIO_PAGES).map(({ path }) => path.split('/')[0]!),
]);

type Options = {
  /** Ours first: files of later folders replace those of the same name. */
  folders: string[];
  log: Log;
  checkedEvery?: number;
};

type Found = Omit<ContentFile, 'content'> & { stamp: string };
type FoundFile = { name: string; file: string; bytes: number; stamp: string };
type Listing = { files: Found[]; pictures: FoundFile[]; problems: ContentProblem[] };

/**
 * The texts of the site, in folders such as `content/en/posts`, which are read when they are first needed. Problems are
 * logged with the file in which they are; if nothing can be read, the last good state stays in use.
 */
export function openContent(options: Options): ContentSource {
  const { log, checkedEvery = LIMITS.checkedEvery } = options;
  let reading: Promise<Library> | null = null;
  let stamp = '';

  async function read(): Promise<Library> {
    const listing = await listFiles(options.folders).catch((error) => {
      if (stamp !== '') throw error;
      return listOwnFiles(options.folders, error);
    });
    const library = await readListing(listing);
    stamp = stampOf(listing);
    for (const problem of library.problems) log.warn(problem, 'content file has a problem');
    return library;
  }

  function library(): Promise<Library> {
    const started = reading ?? read();
    reading = started;
    started.catch(() => {
      if (reading === started) reading = null;
    });
    return started;
  }

  /** @returns whether the texts were read again */
  async function refresh(): Promise<boolean> {
    if (reading === null) return false;
    await reading;
    if (stampOf(await listFiles(options.folders)) === stamp) return false;
    const fresh = await read();
    reading = Promise.resolve(fresh);
    log.info({ texts: fresh.entries.length }, 'content read again');
    return true;
  }

  return {
    library,
    watch(onChange) {
      let isChecking = false;
      const check = async () => {
        if (isChecking) return;
        isChecking = true;
        try {
          if (await refresh()) onChange();
        } catch (err) {
          log.error({ err }, 'content could not be read: the last texts stay in use');
        } finally {
          isChecking = false;
        }
      };
      // by time and size, not by events, because editors and container platforms replace folders
      const timer = setInterval(check, checkedEvery);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}

const stampOf = ({ files, pictures }: Listing): string =>
  createHash('sha256')
    .update([...files, ...pictures].map(({ file, stamp }) => `${file} ${stamp}`).join('\n'))
    .digest('hex');

/** At the start: a folder of the operator that can't be read leaves our own texts in use. */
async function listOwnFiles([own = OWN_CONTENT, ...others]: string[], error: unknown): Promise<Listing> {
  const listing = await listFiles([own]);
  listing.problems.push({ file: others.join(', '), problem: String(error) });
  return listing;
}

async function listFiles(folders: string[]): Promise<Listing> {
  const listing: Listing = { files: [], pictures: [], problems: [] };
  const { files, pictures, problems } = listing;
  for (const folder of folders) {
    for (const language of LANGUAGES)
      for (const collection of COLLECTION_NAMES)
        for (const found of await filesIn(path.join(folder, language, collection))) {
          const { name, file, stamp } = found;
          const problem = problemOfText(found, files.length);
          if (problem) problems.push({ file, problem });
          else files.push({ language, collection, id: name.replace(/\.md$/, ''), file, stamp });
        }
    for (const found of await filesIn(path.join(folder, PICTURES))) {
      const problem = problemOfPicture(found, pictures.length);
      if (problem) problems.push({ file: found.file, problem });
      else pictures.push(found);
    }
  }
  return listing;
}

function problemOfText({ name, bytes }: FoundFile, before: number): string | null {
  if (!name.endsWith('.md')) return 'only .md files are read';
  if (!isEntryId(name.replace(/\.md$/, ''))) return 'the name may have lower-case letters, digits and hyphens only';
  if (bytes > LIMITS.fileBytes) return `larger than ${LIMITS.fileBytes} bytes`;
  return before < LIMITS.files ? null : `one of more than ${LIMITS.files} files`;
}

function problemOfPicture({ name, bytes }: FoundFile, before: number): string | null {
  if (!PICTURE.test(name)) return 'pictures are .png, .jpg, .webp or .avif files, named like texts';
  if (bytes > LIMITS.pictureBytes) return `larger than ${LIMITS.pictureBytes} bytes`;
  return before < LIMITS.pictures ? null : `one of more than ${LIMITS.pictures} pictures`;
}

/** In the order of their names; none if there is no such folder. */
async function filesIn(folder: string): Promise<FoundFile[]> {
  const names = await fs.readdir(folder).catch((error) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  const found = await Promise.all(
    names.filter((name) => !name.startsWith('.')).map((name) => describeFile(name, path.join(folder, name))),
  );
  return found.filter((file) => file !== null).sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function describeFile(name: string, file: string): Promise<FoundFile | null> {
  // a file may be deleted meanwhile
  const stats = await fs.stat(file).catch(() => null);
  if (!stats?.isFile()) return null;
  return { name, file, bytes: stats.size, stamp: `${stats.mtimeMs} ${stats.size} ${stats.ino}` };
}

async function readListing({ files, pictures, problems }: Listing): Promise<Library> {
  const contents: ContentFile[] = [];
  const unread = [...problems];
  for (const { stamp: _, ...found } of files) {
    try {
      contents.push({ ...found, content: decode(await fs.readFile(found.file)) });
    } catch (error) {
      unread.push({ file: found.file, problem: String(error) });
    }
  }
  const measured = await Promise.all(pictures.map((picture) => measurePicture(picture, unread)));
  return buildLibrary({
    files: contents,
    pictures: measured.filter((picture) => picture !== null),
    sitePaths: SITE_PATHS,
    problems: unread,
  });
}

/** @throws TypeError if the file is not UTF-8 */
const decode = (bytes: Buffer): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

async function measurePicture({ name, file, bytes }: FoundFile, problems: ContentProblem[]): Promise<Picture | null> {
  try {
    const { default: sharp } = await import('sharp');
    const { width, height } = await sharp(file).metadata();
    return { name, file, bytes, width, height };
  } catch (error) {
    problems.push({ file, problem: `no picture: ${String(error)}` });
    return null;
  }
}
