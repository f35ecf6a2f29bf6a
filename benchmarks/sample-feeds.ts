import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Where they are read from, for addresses that are relative. */
export const BASE = 'https://feeds.example/';
const FOLDER = path.resolve('../shared/feeds');
/** A row of the samples' index: name in the first column, items counted by hand in the sixth. */
const ROW = /^\| (\S+\.(?:xml|rss)) \|(?:[^|]*\|){4} (\d+) \|/gm;

export type Sample = { file: string; bytes: Buffer; decode(): string; standing: Found };
/** What can be heard: the title of the show, and of each item with a file its title and the addresses of that file. */
export type Found = { title: string; items: { title: string; urls: string[] }[] };

/** The samples beside the checkout that hold a channel with anything in it, or an item; none where there is no folder. */
export function readSamples(): Sample[] {
  if (!existsSync(FOLDER)) return [];
  const index = readFileSync(path.join(FOLDER, 'INDEX.md'), 'utf8');
  const counted = new Map([...index.matchAll(ROW)].map(([, file, items]) => [file!, Number(items)]));
  return readdirSync(FOLDER)
    .filter((file) => /\.(?:xml|rss)$/.test(file))
    .map((file) => {
      const bytes = readFileSync(path.join(FOLDER, file));
      const text = textOf(bytes);
      const items = itemsIn(text).length;
      if (items !== counted.get(file))
        throw new Error(`${file}: ${items} items by search, ${counted.get(file)} by hand`);
      return { file, bytes, decode: () => textOf(bytes), standing: standingIn(text) };
    })
    .filter(({ decode }) => /<channel[^>]*>\s*<[^/]|<feed[\s>]|<item[\s>]/.test(decode()));
}

/** As text is decoded that is not known to be a feed: UTF-16 by its zeros, else as it declares, else UTF-8. */
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
const ADDRESS = /(?:url|href|uri)\s*=\s*["']([^"']+)/;

/** What stands in a document, by search in its text: none of the readers that are compared has a part in it. */
function standingIn(text: string): Found {
  const show = text.replace(/<(item|entry)[\s>].*<\/\1\s*>/gs, '').replace(/<image>.*?<\/image>/gs, '');
  const heard = new Map<string, Found['items'][number]>();
  for (const item of itemsIn(text).toReversed()) {
    const urls = filesIn(item);
    // apps take the second of two with one guid and one file for the first
    if (urls.length > 0) heard.set(`${GUID.exec(item)?.[0]} ${urls}`, { title: TITLE.exec(item)?.[1] ?? '', urls });
  }
  return { title: TITLE.exec(show)?.[1] ?? '', items: [...heard.values()] };
}

function filesIn(item: string): string[] {
  const tags = item.match(/<(?:enclosure|media:content|podcast:source|(?:atom:)?link)\b[^>]*>/g) ?? [];
  const files = tags.filter((tag) => !/^<(?:atom:)?link/.test(tag) || /rel\s*=\s*["']enclosure/.test(tag));
  const original = /<feedburner:origEnclosureLink>(.*?)</s.exec(item)?.[1];
  const playable = files.filter((tag) => !isPicture(tag)).flatMap((tag) => ADDRESS.exec(tag)?.[1] ?? []);
  return original && playable.length > 0 ? [...playable, original] : playable;
}

const isPicture = (tag: string) => /type\s*=\s*["']image|\.(?:jpe?g|png|gif)["'?]/i.test(tag);

/** Whether everything that stands there was found: the titles, and a file of each item. */
export function isAll(found: Found, standing: Found): boolean {
  return isSame(found.title, standing.title) && standing.items.every((item) => found.items.some(isItem(item)));
}

const isItem = (standing: Found['items'][number]) => {
  const files = standing.urls.map(address);
  return ({ title, urls }: Found['items'][number]) =>
    isSame(title, standing.title) && urls.some((url) => files.includes(address(url)));
};

/** A title that is missing may be made up, and a letter that was no character may be any. */
function isSame(found: string, standing: string): boolean {
  const written = letters(standing);
  return written === '' || new RegExp(`^${written.replace(/\ufffd+/g, '.*')}$`, 'u').test(letters(found));
}

/** Letters and digits, so that markup and references, kept or not, make no difference. */
const letters = (text: string) =>
  text
    .replace(/<!\[CDATA\[|\]\]>/g, '')
    .replace(/&(?:amp;)*(?:lt|gt|quot|apos|amp|nbsp|#\d+|#x[\da-f]+);/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[^\p{L}\p{N}\ufffd]/gu, '');

const address = (url: string) => {
  const plain = url.trim().replaceAll('&amp;', '&');
  return URL.canParse(plain, BASE) ? new URL(plain, BASE).href : plain;
};
