import { FEED_LIMITS } from '../../limits/feeds';
import { FEED_IMPORT_LIMITS } from '../../limits/rss-import';
import { cutHtml } from '../cut-html';
import { decodeEntities, WINDOWS } from '../markup/entities';
import type { Element } from '../markup/tree';
import { plainText, richText } from '../text';
import type { Notes } from './model';

/** What reading one document is about: its source, what to take relative addresses from, and whether we wrote it. */
export type Reader = {
  source: string;
  base: string | null;
  notes: Notes;
  /** Titles of ours are plain text for certain, so nothing in them is taken for markup. */
  ours: boolean;
  american: boolean;
};

const TAGS = /<\/?(?:a|abbr|b|big|br|code|div|em|font|h[1-6]|i|img|p|q|s|small|span|strong|sub|sup|u)\b[^<>]*>/gi;
const REFERENCES =
  /&(?:#\d+|#x[\da-f]+|amp|lt|gt|quot|apos|nbsp|[lr]squo|[lr]dquo|[mn]dash|hellip|[a-z]acute|ntilde|[a-z]uml);/i;

/** A title or a name: one line of plain text, without the markup that some write into it. */
export function readTitle(reader: Reader, element: Element | undefined, item: number): string {
  if (!element) return '';
  const written = element.children.length > 0 ? contentOf(reader, element) : element.text;
  if (reader.ours) return plainText(written);
  const mended = mendEncoding(reader, written, item);
  const bare = mended.replace(TAGS, ' ');
  const text = REFERENCES.test(bare) ? decodeEntities(bare).replace(TAGS, ' ') : bare;
  if (text !== mended || element.children.length > 0) reader.notes.repaired('markup_in_title', item);
  return plainText(text);
}

/** Plain text as it is. */
export function readText(element: Element | undefined): string {
  return element ? plainText(element.text) : '';
}

/** HTML. Markup that was not escaped counts as the HTML that it is; what was escaped twice is unescaped once more. */
export function readHtml(reader: Reader, element: Element | undefined, item: number): string {
  if (!element) return '';
  let text = element.children.length > 0 ? contentOf(reader, element) : element.text;
  if (!reader.ours) {
    text = mendEncoding(reader, text, item);
    if (!text.includes('<') && /&lt;\/?(?:p|br|a|div|ul|strong|em)\b/i.test(text)) {
      text = decodeEntities(text);
      reader.notes.repaired('text_doubly_encoded', item);
    }
  }
  const whole = richText(text);
  const kept = cutHtml(whole, FEED_LIMITS.notesBytes);
  if (kept !== whole) reader.notes.lost('description_cut', item);
  return kept;
}

const CDATA = /<!\[CDATA\[|\]\]>/g;

function contentOf({ source }: Reader, { from, to }: Element): string {
  return source.slice(from, Math.min(to, from + FEED_IMPORT_LIMITS.text)).replace(CDATA, '');
}

const LIKELY = /[ÂÃâðÅÄÐÑ][\u0080-\u00bfŒœŠšŸŽžƒˆ˜\u2013-\u2122€]/;
const RUN = /[\u0080-\u00ffŒœŠšŸŽžƒˆ˜\u2013-\u2122€]{2,}/g;
/** What people write: letters of Latin and signs of typography, and emoji. */
const PLAUSIBLE = /^(?:[\u00a0-\u024f\u2000-\u206f\u20ac\u2122\u{1f000}-\u{1faff}]|\ufe0f|\u200d)+$/u;

/** UTF-8 that somebody read as Windows-1252 and encoded again. */
function mendEncoding({ notes }: Reader, text: string, item: number): string {
  if (!LIKELY.test(text)) return text;
  const mended = text.replace(RUN, (run) => {
    const bytes = Uint8Array.from(run, (char) => {
      const code = char.charCodeAt(0);
      return code <= 0xff ? code : 0x80 + WINDOWS.indexOf(char);
    });
    try {
      const read = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      return PLAUSIBLE.test(read) ? read : run;
    } catch {
      return run;
    }
  });
  if (mended !== text) notes.repaired('text_doubly_encoded', item);
  return mended;
}

const SPACE = /[\s\p{Cc}]/gu;

/** An absolute address of the web, as written where that is one; '' for what can't be made one. */
export function readUrl(reader: Reader, value: string | undefined, item: number): string {
  const text = value?.trim() ?? '';
  if (!text) return '';
  if (text === value && /^https?:\/\/[^\s&;]+$/.test(text) && URL.canParse(text)) return text;
  const mended = reader.ours ? text : mendUrl(text);
  const whole = absolute(mended, reader.base);
  if (!whole) reader.notes.lost('address_unreadable', item);
  else if (whole !== value) reader.notes.repaired('address_mended', item);
  return whole;
}

/** Spaces, references that were escaped twice, and those whose semicolon slipped (`&b;=2`). */
function mendUrl(text: string): string {
  return text
    .replace(/&amp;/g, '&')
    .replace(/&([a-z]\w*);=/gi, '&$1=')
    .replace(SPACE, (char) => (char === ' ' ? '%20' : ''));
}

function absolute(text: string, base: string | null): string {
  if (/^(?:https?):\/\//i.test(text)) return URL.canParse(text) ? text : '';
  if (/^www\.[^/]+\.[a-z]{2,}/i.test(text)) return `http://${text}`;
  if (/^[a-z][a-z\d+.-]*:/i.test(text) || !base || !URL.canParse(text, base)) return '';
  const found = new URL(text, base);
  return /^https?:$/.test(found.protocol) ? found.href : '';
}

/** Of several names, the first that has any text. */
export function filled(element: Element | undefined, ...names: string[]): Element | undefined {
  for (const name of names) {
    const found = element?.children.find((one) => one.name === name && (one.text.trim() || one.children.length > 0));
    if (found) return found;
  }
  return undefined;
}

/** A list as the model has it: bounded, and absent where it is empty. */
export function listed<T>(reader: Reader, list: (T | null)[], item: number): T[] | undefined {
  const found = list.filter((one) => one !== null);
  if (found.length > FEED_IMPORT_LIMITS.list) reader.notes.lost('list_too_long', item);
  return found.length > 0 ? found.slice(0, FEED_IMPORT_LIMITS.list) : undefined;
}

/** One of the attributes, as one line; undefined where there is none or nothing in it. */
export function attr(element: Element | undefined, name: string): string | undefined {
  return plainText(element?.attributes.get(name) ?? '') || undefined;
}
