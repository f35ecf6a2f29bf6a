import { FEED_IMPORT_LIMITS } from '../../limits/rss-import';
import { decodeEntities, WINDOWS_1252 } from '../markup/entities';
import type { Element } from '../markup/tree';
import { plainText, richText } from '../text';
import type { ParseLog } from './model';
import { removeMarkup } from './title-markup';

/** The document that is being read. Relative URLs are resolved against `base`. */
export type Reader = {
  source: string;
  base: string | null;
  log: ParseLog;
  /** Whether we wrote the feed: then its titles are certainly plain text, and nothing in them is markup. */
  isOwnFeed: boolean;
  monthFirst: boolean;
};

const REFERENCES =
  /&(?:#\d+|#x[\da-f]+|amp|lt|gt|quot|apos|nbsp|[lr]squo|[lr]dquo|[mn]dash|hellip|[a-z]acute|ntilde|[a-z]uml);/i;

/** Reads a title or name as one line of plain text, without markup. */
export function readTitle(reader: Reader, element: Element | undefined, item: number): string {
  if (!element) return '';
  const written = element.children.length > 0 ? contentOf(reader, element) : element.text;
  if (reader.isOwnFeed) return plainText(written);
  const repaired = repairEncoding(reader, written, item);
  const bare = removeMarkup(repaired);
  const text = REFERENCES.test(bare) ? removeMarkup(decodeEntities(bare)) : bare;
  if (text !== repaired || element.children.length > 0) reader.log.repaired('markup_in_title', item);
  return plainText(text);
}

/** Reads plain text without repairs. */
export function readText(element: Element | undefined): string {
  return element ? plainText(element.text) : '';
}

/** Reads HTML of any length: only clean HTML may be cut. Unescaped markup counts as HTML; text that was escaped twice is unescaped again. */
export function readHtml(reader: Reader, element: Element | undefined, item: number): string {
  if (!element) return '';
  let text = element.children.length > 0 ? contentOf(reader, element) : element.text;
  if (!reader.isOwnFeed) {
    text = repairEncoding(reader, text, item);
    if (!text.includes('<') && /&lt;\/?(?:p|br|a|div|ul|strong|em)\b/i.test(text)) {
      text = decodeEntities(text);
      reader.log.repaired('text_doubly_encoded', item);
    }
  }
  return richText(text);
}

const CDATA = /<!\[CDATA\[|\]\]>/g;

/** The content of an element as written, with the markup in it. */
export function contentOf({ source }: Reader, { from, to }: Element): string {
  return source.slice(from, Math.min(to, from + FEED_IMPORT_LIMITS.text)).replace(CDATA, '');
}

const SUSPECT = /[ÂÃâðÅÄÐÑ][\u0080-\u00bfŒœŠšŸŽžƒˆ˜\u2013-\u2122€]/;
const RUN = /[\u0080-\u00ffŒœŠšŸŽžƒˆ˜\u2013-\u2122€]{2,}/g;
/** Latin letters, typographic characters and emoji. */
const PLAUSIBLE = /^(?:[\u00a0-\u024f\u2000-\u206f\u20ac\u2122\u{1f000}-\u{1faff}]|\ufe0f|\u200d)+$/u;

/** Repairs UTF-8 that was decoded as Windows-1252 and encoded again. */
function repairEncoding({ log }: Reader, text: string, item: number): string {
  if (!SUSPECT.test(text)) return text;
  const repaired = text.replace(RUN, (run) => {
    const bytes = Uint8Array.from(run, (char) => {
      const code = char.charCodeAt(0);
      return code <= 0xff ? code : 0x80 + WINDOWS_1252.indexOf(char);
    });
    try {
      const decoded = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      return PLAUSIBLE.test(decoded) ? decoded : run;
    } catch {
      return run;
    }
  });
  if (repaired !== text) log.repaired('text_doubly_encoded', item);
  return repaired;
}

const SPACE = /[\s\p{Cc}]/gu;

/** Reads an absolute http or https URL, unchanged if valid; '' if it cannot be repaired. */
export function readUrl(reader: Reader, value: string | undefined, item: number): string {
  const text = value?.trim() ?? '';
  if (!text) return '';
  if (text === value && /^https?:\/\/[^\s&;]+$/.test(text) && URL.canParse(text)) return text;
  const url = toAbsolute(reader.isOwnFeed ? text : repairUrl(text), reader.base);
  if (!url) reader.log.lost('url_unreadable', item);
  else if (url !== value) reader.log.repaired('url_fixed', item);
  return url;
}

/** Repairs spaces, doubly escaped ampersands and misplaced semicolons (`&b;=2`). */
function repairUrl(text: string): string {
  return text
    .replace(/&amp;/g, '&')
    .replace(/&([a-z]\w*);=/gi, '&$1=')
    .replace(SPACE, (char) => (char === ' ' ? '%20' : ''));
}

function toAbsolute(text: string, base: string | null): string {
  if (/^(?:https?):\/\//i.test(text)) return URL.canParse(text) ? text : '';
  if (/^www\.[^/]+\.[a-z]{2,}/i.test(text)) return `http://${text}`;
  if (/^[a-z][a-z\d+.-]*:/i.test(text) || !base || !URL.canParse(text, base)) return '';
  const found = new URL(text, base);
  return /^https?:$/.test(found.protocol) ? found.href : '';
}

/** Limits the length of a list, and returns undefined for an empty one, as the model requires. */
export function boundedList<T>(reader: Reader, list: (T | null)[], item: number): T[] | undefined {
  if (list.length === 0) return undefined;
  const found = list.filter((one) => one !== null);
  if (found.length > FEED_IMPORT_LIMITS.list) reader.log.lost('list_too_long', item);
  return found.length > 0 ? found.slice(0, FEED_IMPORT_LIMITS.list) : undefined;
}

/** An attribute as one line; undefined if missing or empty. */
export function attributeText(element: Element | undefined, name: string): string | undefined {
  const written = element?.attributes.get(name);
  return written ? plainText(written) || undefined : undefined;
}
