import { attributesAt } from './attributes';
import { decodeEntities } from './entities';
import type { Fault } from './faults';

/** From where `<` stands to what follows `>`. */
export type Stretch = { start: number; end: number };

export type Handler = {
  open(name: string, attributes: Map<string, string>, tag: Stretch): void;
  text(value: string): void;
  /** `start` is where `</` stands; for `<a/>` it is the place after it. */
  close(name: string, start: number): void;
  fault(fault: Fault): void;
  /** The name of the element that is open, '' outside of any. */
  current(): string;
};

export type Bounds = { tags: number; text: number; attributes: number };
/** `guessing` ends an unclosed CDATA section at the end tag of its element. */
export type How = { bounds: Bounds; guessing: boolean };

/** No white space, of which there is some beyond ASCII. */
const NAME_START = /(?!\s)[A-Za-z_:\u0080-\uffff]/;
const NAME = /[^\s/>=<"']+/y;

/**
 * Walks markup once and in linear time, and never fails: what XML forbids is reported and read as browsers and podcast
 * apps read it. Entities are the five of XML, HTML's names and numbers; declared ones are not expanded, nothing outside
 * is fetched.
 */
export function scan(source: string, handler: Handler, how: How) {
  const { bounds } = how;
  const around: Surroundings = { ...how, handler, find: finder(source) };
  let tags = 0;
  let at = 0;
  while (at < source.length) {
    const mark = source.indexOf('<', at);
    if (mark !== at) {
      const end = mark === -1 ? source.length : mark;
      if (end - at > bounds.text) handler.fault('text_too_long');
      handler.text(decodeEntities(source.slice(at, Math.min(end, at + bounds.text)), handler.fault));
    }
    if (mark === -1) return;
    tags += 1;
    if (tags > bounds.tags) return handler.fault('too_many_tags');
    at = markup(source, mark, around);
  }
}

/** What begins with `<`; answers where it ends. */
function markup(source: string, mark: number, around: Surroundings): number {
  const { handler, find } = around;
  const kind = source[mark + 1] ?? '';
  if (kind === '/') return endTag(source, mark, handler);
  if (kind === '!') return declaration(source, mark, around);
  if (kind === '?') return after(find('?>', mark), 2) ?? after(find('>', mark), 1) ?? source.length;
  if (NAME_START.test(kind)) return startTag(source, mark, around);
  handler.fault('bare_less_than');
  let at = mark + 1;
  while (source[at] === '<') at += 1;
  // the last one may begin a tag
  if (at > mark + 1 && /[A-Za-z/!?]/.test(source[at] ?? '')) at -= 1;
  handler.text(source.slice(mark, at));
  return at;
}

function startTag(source: string, mark: number, { handler, bounds }: Surroundings): number {
  NAME.lastIndex = mark + 1;
  const name = NAME.exec(source)?.[0] ?? '';
  const read = attributesAt(source, mark + 1 + name.length, bounds.attributes);
  if (read.broken) handler.fault('broken_attribute');
  if (read.tooMany) handler.fault('too_many_attributes');
  for (const [key, value] of read.attributes)
    if (value.includes('&')) read.attributes.set(key, decodeEntities(value, handler.fault));
  handler.open(name, read.attributes, { start: mark, end: read.end });
  if (read.empty) handler.close(name, read.end);
  return read.end;
}

function endTag(source: string, mark: number, handler: Handler): number {
  NAME.lastIndex = mark + 2;
  const name = NAME.exec(source)?.[0] ?? '';
  let at = mark + 2 + name.length;
  while (at < source.length && source[at] !== '>' && source[at] !== '<') at += 1;
  if (source[at] !== '>') handler.fault('unclosed_tag');
  if (name) handler.close(name, mark);
  return source[at] === '>' ? at + 1 : at;
}

type Surroundings = How & { handler: Handler; find: Find };

function declaration(source: string, mark: number, around: Surroundings): number {
  const { handler, find } = around;
  if (source.startsWith('<![CDATA[', mark)) return cdata(source, mark + 9, around);
  if (source.startsWith('<!--', mark)) {
    const end = after(find('-->', mark + 4), 3);
    if (end === null) handler.fault('unclosed_comment');
    return end ?? mark + 4;
  }
  handler.fault('doctype');
  return endOfDoctype(source, mark);
}

/** The end tag is looked for in no more than what is taken as text then, so that the looks add up to one pass. */
function cdata(source: string, start: number, { handler, find, guessing }: Surroundings): number {
  const end = find(']]>', start);
  const element = handler.current();
  const within = element ? source.slice(start, end === -1 ? undefined : end).indexOf(`</${element}`) : -1;
  const close = within === -1 ? -1 : start + within;
  const swallows = end !== -1 && close !== -1 && swallowed(source, { close, end, next: find('<![CDATA[', start) });
  if (swallows && !guessing) handler.fault('suspect_cdata');
  if (end !== -1 && !(swallows && guessing)) {
    handler.text(source.slice(start, end));
    return end + 3;
  }
  handler.fault('unclosed_cdata');
  const stop = close === -1 ? source.length : close;
  handler.text(source.slice(start, stop));
  return stop;
}

/** The end tag of the element, another tag right after it, and a further section before the end: hardly a text. */
function swallowed(source: string, { close, end, next }: { close: number; end: number; next: number }): boolean {
  return next > close && next < end && /^<\/[^<>]*>\s*<[a-z/]/i.test(source.slice(close, close + 200));
}

/** A DOCTYPE may hold declarations in brackets and `>` in quotes; none of them counts here. */
function endOfDoctype(source: string, mark: number): number {
  let quote = '';
  let depth = 0;
  for (let at = mark + 2; at < source.length; at++) {
    const char = source[at]!;
    if (quote) quote = char === quote ? '' : quote;
    else if (depth > 0 && (char === '"' || char === "'")) quote = char;
    else if (char === '[') depth += 1;
    else if (char === ']') depth -= 1;
    else if (char === '>' && depth <= 0) return at + 1;
  }
  return source.length;
}

type Find = (needle: string, from: number) => number;

/** indexOf that remembers its last answer, so that a document full of openings without an end costs one look. */
function finder(source: string): Find {
  const seen = new Map<string, { from: number; found: number }>();
  return (needle, from) => {
    const last = seen.get(needle);
    if (last && from >= last.from && (last.found === -1 || from <= last.found)) return last.found;
    const found = source.indexOf(needle, from);
    seen.set(needle, { from, found });
    return found;
  };
}

function after(found: number, length: number): number | null {
  return found === -1 ? null : found + length;
}
