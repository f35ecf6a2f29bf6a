import { escapeMarkup } from './rules';

export type Attributes = Record<string, string | number | boolean | undefined>;

/** An element of plain text. Apps show white space at its ends, so there is none. */
export function element(name: string, value: string, attributes?: Attributes): string {
  return `<${name}${attributes ? written(attributes) : ''}>${ODD.test(value) ? escapeText(value) : value}</${name}>\n`;
}

/** A value of our own making, in which nothing has to be escaped: numbers, dates, words of a list. */
export function value(name: string, own: string | number | boolean): string {
  return `<${name}>${own}</${name}>\n`;
}

export function empty(name: string, attributes: Attributes): string {
  return `<${name}${written(attributes)}/>\n`;
}

/** An element of HTML in a CDATA section; `]]>` within it is spread over two. */
export function html(name: string, value: string): string {
  return `<${name}><![CDATA[${value.includes(']]>') ? value.replaceAll(']]>', ']]]]><![CDATA[>') : value}]]></${name}>\n`;
}

/** An element of elements. */
export function nest(name: string, children: string, attributes?: Attributes): string {
  return `<${name}${attributes ? written(attributes) : ''}>${children.trimEnd()}</${name}>\n`;
}

function written(attributes: Attributes): string {
  let text = '';
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined) text += ` ${name}="${typeof value === 'string' ? attribute(value) : value}"`;
  }
  return text;
}

/**
 * Markup, white space other than single blanks between words, what XML can't say, and what is too rare to be listed. Most
 * values hold nothing of it, and one look tells that they stay as they are.
 */
const ODD =
  /[^ !#-%'-;=?-~\u00a1-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2060-\u2fff\u3001-\ud7ff\ue000-\ufefe\uff00-\ufffd]|^ | $| {2}/;

function attribute(value: string): string {
  return ODD.test(value) ? escapeText(value).replaceAll('"', '&quot;') : value;
}

function escapeText(value: string): string {
  return escapeMarkup(oneLine(value));
}

const RUN_OF_SPACE = /\s{2,}|[\t\n\r]/g;

/** One line without white space at its ends, and without what XML can't say. */
export function plainText(value: string): string {
  return ODD.test(value) ? oneLine(value) : value;
}

function oneLine(value: string): string {
  return wellFormed(value).replace(RUN_OF_SPACE, ' ').trim();
}

/** HTML as a feed carries it: without white space at its ends, line ends as XML reads them (§2.11). */
export function richText(value: string): string {
  const text = wellFormed(value).trim();
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Cuts at a whole character: half a surrogate pair would be an error in XML. */
export function clip(value: string, length: number): string {
  return value.length <= length ? value : Array.from(value).slice(0, length).join('').trim();
}

/** Room that is kept at first for the end tags of what is open where HTML is cut. */
const CLOSING_BYTES = 200;
const VOID = /^(?:br|hr|img|wbr|input)$/;
/** A tag or an entity without its end. A `<` before anything but a letter is a sign of its own, as in "I <3 it". */
const HALF_TAG = /<(?:[/!]?[a-z][^<>]*|[/!]?)$/i;
const HALF_ENTITY = /&[#\w]{0,12}$/;
/** No part of it can match what another does: text that only looks like tags takes no longer. */
const TAG = /<(\/?)([a-z][^\s/<>]*)(?:[\s/][^<>]*)?>/gi;

/** HTML of at most `maxBytes` in UTF-8: whole characters, whole tags and entities, and what is open is closed. */
export function cutHtml(value: string, maxBytes: number): string {
  if (value.length * 3 <= maxBytes || Buffer.byteLength(value) <= maxBytes) return value;
  for (let room = CLOSING_BYTES; room < maxBytes; room *= 2) {
    const { read } = new TextEncoder().encodeInto(value.slice(0, maxBytes), new Uint8Array(maxBytes - room));
    const kept = value.slice(0, read).replace(HALF_TAG, '').replace(HALF_ENTITY, '').trimEnd();
    const closing = endTags(kept);
    if (Buffer.byteLength(closing) <= room) return kept + closing;
  }
  return '';
}

function endTags(fragment: string): string {
  const open: string[] = [];
  const times = new Map<string, number>();
  const count = (name: string, by: number) => times.set(name, (times.get(name) ?? 0) + by);
  for (const [tag, end, as = ''] of fragment.matchAll(TAG)) {
    const name = as.toLowerCase();
    if (tag.endsWith('/>') || VOID.test(name)) continue;
    if (!end) {
      open.push(name);
      count(name, 1);
    } else if (times.get(name)) {
      let closed: string | undefined;
      do {
        closed = open.pop();
        if (closed) count(closed, -1);
      } while (closed && closed !== name);
    }
  }
  return open
    .reverse()
    .map((name) => `</${name}>`)
    .join('');
}

const CONTROLS = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)).filter(
  (char) => !'\t\n\r'.includes(char),
);
/** What one UTF-16 unit tells, named rather than excluded since that is found twice as fast; pairs are counted apart. */
const FORBIDDEN_UNIT = new RegExp(`[${CONTROLS.join('')}\ufffe\uffff]`);
/** Everything that XML 1.0 §2.2 does not allow as `Char`: control characters, lone surrogates, U+FFFE and U+FFFF. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

function wellFormed(value: string): string {
  return FORBIDDEN_UNIT.test(value) || !value.isWellFormed() ? value.replace(FORBIDDEN, '') : value;
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TWO = Array.from({ length: 60 }, (_, at) => String(at).padStart(2, '0'));

/** RFC 2822 in UTC, which podcast directories ask for. */
export function rfc2822(at: Date): string {
  const day = `${DAYS[at.getUTCDay()]}, ${TWO[at.getUTCDate()]} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
  return `${day} ${TWO[at.getUTCHours()]}:${TWO[at.getUTCMinutes()]}:${TWO[at.getUTCSeconds()]} +0000`;
}

/** Seconds with at most three places. */
export function seconds(ms: number): string {
  return String(ms / 1000);
}
