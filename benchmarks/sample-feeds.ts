import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The base of relative URLs. */
export const BASE = 'https://feeds.example/';
/** Feeds of publishers and other projects. They are outside the repository, because we may not publish their texts. */
const FOLDER = path.resolve(process.env.SAMPLE_FEEDS || '../shared/feeds');
/** Our own samples, which always exist. */
const OWN_FOLDER = path.resolve('tests/feed/fixtures');
const FOLDERS = [OWN_FOLDER, FOLDER].filter((folder) => existsSync(folder));
export const hasForeignSamples = existsSync(FOLDER);
/** A row of the samples' index: name in the first column, items counted by hand in the sixth. */
const ROW = /^\| (\S+\.(?:xml|rss)) \|(?:[^|]*\|){4} (\d+) \|/gm;

export type Sample = { file: string; bytes: Buffer; decode(): string; expected: FeedContents };
/** The title of the show, and for each item with a file its title and the URLs of that file. */
export type FeedContents = { title: string; items: { title: string; urls: string[] }[] };

/** File names of the sample feeds: our own, and those of the other folder if it exists. */
export function sampleFiles(): string[] {
  return FOLDERS.flatMap((folder) => readdirSync(folder).filter((file) => /\.(?:xml|rss)$/.test(file)));
}

export const readSample = (file: string): Buffer =>
  readFileSync(path.join(existsSync(path.join(OWN_FOLDER, file)) ? OWN_FOLDER : FOLDER, file));

/** The sample feeds that contain an item or a non-empty channel. */
export function readSamples(): Sample[] {
  const files = sampleFiles();
  const index = FOLDERS.map((folder) => readFileSync(path.join(folder, 'INDEX.md'), 'utf8')).join('\n');
  const counted = new Map([...index.matchAll(ROW)].map(([, file, items]) => [file!, Number(items)]));
  return files
    .map((file) => {
      const bytes = readSample(file);
      const text = textOf(bytes);
      const items = itemsIn(text).length;
      if (items !== counted.get(file))
        throw new Error(`${file}: ${items} items by search, ${counted.get(file)} by hand`);
      return { file, bytes, decode: () => textOf(bytes), expected: findExpected(text) };
    })
    .filter(({ decode }) => /<channel[^>]*>\s*<[^/]|<feed[\s>]|<item[\s>]/.test(decode()));
}

/** Decodes a document: UTF-16 by its zero bytes, otherwise as declared, otherwise UTF-8. */
function textOf(bytes: Buffer): string {
  const declared = /encoding\s*=\s*["']([\w-]+)/.exec(bytes.toString('latin1', 0, 200))?.[1] ?? 'utf-8';
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || bytes[1] === 0;
  try {
    return new TextDecoder(isWide ? 'utf-16le' : declared).decode(bytes);
  } catch {
    return bytes.toString();
  }
}

const itemsIn = (text: string) => text.match(/<(item|entry)[\s>].*?<\/\1\s*>/gs) ?? [];
const TITLE = /<title[^>]*>(.*?)<\/title\s*>/s;
const GUID = /<(guid|id)[\s>][^<]*<\/\1>/;
const URL_ATTRIBUTE = /(?:url|href|uri)\s*=\s*["']([^"']+)/;

/** Searches a document's text for playable items, independently of the readers that are compared. */
function findExpected(text: string): FeedContents {
  const show = text.replace(/<(item|entry)[\s>].*<\/\1\s*>/gs, '').replace(/<image>.*?<\/image>/gs, '');
  const playable = new Map<string, FeedContents['items'][number]>();
  for (const item of itemsIn(text).toReversed()) {
    const urls = filesIn(item);
    // apps treat two items with the same GUID and file as one
    if (urls.length > 0) playable.set(`${GUID.exec(item)?.[0]} ${urls}`, { title: TITLE.exec(item)?.[1] ?? '', urls });
  }
  return { title: TITLE.exec(show)?.[1] ?? '', items: [...playable.values()] };
}

function filesIn(item: string): string[] {
  const tags = item.match(/<(?:enclosure|media:content|podcast:source|(?:atom:)?link)\b[^>]*>/g) ?? [];
  const files = tags.filter((tag) => !/^<(?:atom:)?link/.test(tag) || /rel\s*=\s*["']enclosure/.test(tag));
  const original = /<feedburner:origEnclosureLink>(.*?)</s.exec(item)?.[1];
  const playable = files.filter((tag) => !isPicture(tag)).flatMap((tag) => URL_ATTRIBUTE.exec(tag)?.[1] ?? []);
  return original && playable.length > 0 ? [...playable, original] : playable;
}

const isPicture = (tag: string) => /type\s*=\s*["']image|\.(?:jpe?g|png|gif)["'?]/i.test(tag);

/** Whether a reader found the titles and a file of each item. */
export function isComplete(actual: FeedContents, expected: FeedContents): boolean {
  return (
    isSameTitle(actual.title, expected.title) && expected.items.every((item) => actual.items.some(matchesItem(item)))
  );
}

const matchesItem = (expected: FeedContents['items'][number]) => {
  const files = expected.urls.map(resolveUrl);
  return ({ title, urls }: FeedContents['items'][number]) =>
    isSameTitle(title, expected.title) && urls.some((url) => files.includes(resolveUrl(url)));
};

/** A missing title may be derived, and an invalid character may be read as any letter. */
function isSameTitle(actual: string, expected: string): boolean {
  const pattern = letters(expected);
  return pattern === '' || new RegExp(`^${pattern.replace(/\ufffd+/g, '.*')}$`, 'u').test(letters(actual));
}

/** Compares letters and digits only, because readers may keep or remove markup and entities. */
const letters = (text: string) =>
  text
    .replace(/<!\[CDATA\[|\]\]>/g, '')
    .replace(/&(?:amp;)*(?:lt|gt|quot|apos|amp|nbsp|#\d+|#x[\da-f]+);/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[^\p{L}\p{N}\ufffd]/gu, '');

const resolveUrl = (url: string) => {
  const plain = url.trim().replaceAll('&amp;', '&');
  return URL.canParse(plain, BASE) ? new URL(plain, BASE).href : plain;
};
