import { readAttributes } from './attributes';
import { decodeEntities } from './entities';
import type { Fault } from './faults';

/** The range from the `<` of a tag to the index after its `>`. */
export type TagRange = { start: number; end: number };

export type ScanHandler = {
  open(name: string, attributes: Map<string, string>, tag: TagRange): void;
  text(value: string): void;
  /** `start` is the index of `</`; for `<a/>` it is the index after the tag. */
  close(name: string, start: number): void;
  fault(fault: Fault): void;
  /** The name of the innermost open element, '' outside of all elements. */
  current(): string;
};

export type ScanLimits = { tags: number; text: number; attributes: number };
/** With `guessing`, an unclosed CDATA section ends at the end tag of its element. */
export type ScanOptions = { limits: ScanLimits; guessing: boolean };

/** `\s` also matches white space beyond ASCII, which cannot start a name. */
const NAME_START = /(?!\s)[A-Za-z_:\u0080-\uffff]/;
const NAME = /[^\s/>=<"']+/y;

/**
 * Scans markup once, in linear time, and never fails: it reports what XML forbids, and reads it like browsers and
 * podcast apps do. It decodes the entities of XML and HTML and numeric references only. It expands no declared entity
 * and fetches nothing.
 */
export function scan(source: string, handler: ScanHandler, options: ScanOptions) {
  const { limits } = options;
  const state: ScanState = { ...options, handler, find: cachedIndexOf(source) };
  let tags = 0;
  let at = 0;
  while (at < source.length) {
    const mark = source.indexOf('<', at);
    if (mark !== at) {
      const end = mark === -1 ? source.length : mark;
      if (end - at > limits.text) handler.fault('text_too_long');
      handler.text(decodeEntities(source.slice(at, Math.min(end, at + limits.text)), handler.fault));
    }
    if (mark === -1) return;
    tags += 1;
    if (tags > limits.tags) return handler.fault('too_many_tags');
    at = scanMarkup(source, mark, state);
  }
}

type ScanState = ScanOptions & { handler: ScanHandler; find: Find };

/** Scans what starts with the `<` at `mark`, and returns the index after it. */
function scanMarkup(source: string, mark: number, state: ScanState): number {
  const { handler, find } = state;
  const kind = source[mark + 1] ?? '';
  if (kind === '/') return scanEndTag(source, mark, handler);
  if (kind === '!') return scanDeclaration(source, mark, state);
  if (kind === '?') return indexAfter(find('?>', mark), 2) ?? indexAfter(find('>', mark), 1) ?? source.length;
  if (NAME_START.test(kind)) return scanStartTag(source, mark, state);
  handler.fault('bare_less_than');
  let at = mark + 1;
  while (source[at] === '<') at += 1;
  // the last `<` of several may start a tag
  if (at > mark + 1 && /[A-Za-z/!?]/.test(source[at] ?? '')) at -= 1;
  handler.text(source.slice(mark, at));
  return at;
}

function scanStartTag(source: string, mark: number, { handler, limits }: ScanState): number {
  NAME.lastIndex = mark + 1;
  const name = NAME.exec(source)?.[0] ?? '';
  const read = readAttributes(source, mark + 1 + name.length, limits.attributes);
  if (read.broken) handler.fault('broken_attribute');
  if (read.tooMany) handler.fault('too_many_attributes');
  for (const [key, value] of read.attributes)
    if (value.includes('&')) read.attributes.set(key, decodeEntities(value, handler.fault));
  handler.open(name, read.attributes, { start: mark, end: read.end });
  if (read.selfClosing) handler.close(name, read.end);
  return read.end;
}

function scanEndTag(source: string, mark: number, handler: ScanHandler): number {
  NAME.lastIndex = mark + 2;
  const name = NAME.exec(source)?.[0] ?? '';
  let at = mark + 2 + name.length;
  while (at < source.length && source[at] !== '>' && source[at] !== '<') at += 1;
  if (source[at] !== '>') handler.fault('unclosed_tag');
  if (name) handler.close(name, mark);
  return source[at] === '>' ? at + 1 : at;
}

function scanDeclaration(source: string, mark: number, state: ScanState): number {
  const { handler, find } = state;
  if (source.startsWith('<![CDATA[', mark)) return scanCdata(source, mark + 9, state);
  if (source.startsWith('<!--', mark)) {
    const end = indexAfter(find('-->', mark + 4), 3);
    if (end === null) handler.fault('unclosed_comment');
    return end ?? mark + 4;
  }
  handler.fault('doctype');
  return endOfDoctype(source, mark);
}

/**
 * Searches for the end tag only in the part that it then reads as text, so all these searches together cost one pass.
 */
function scanCdata(source: string, start: number, { handler, find, guessing }: ScanState): number {
  const end = find(']]>', start);
  const element = handler.current();
  const offset = element ? source.slice(start, end === -1 ? undefined : end).indexOf(`</${element}`) : -1;
  const close = offset === -1 ? -1 : start + offset;
  const next = find('<![CDATA[', start);
  const isSuspect = end !== -1 && close !== -1 && containsMarkup(source, { close, end, next });
  if (isSuspect && !guessing) handler.fault('suspect_cdata');
  if (end !== -1 && !(isSuspect && guessing)) {
    handler.text(source.slice(start, end));
    return end + 3;
  }
  handler.fault('unclosed_cdata');
  const stop = close === -1 ? source.length : close;
  handler.text(source.slice(start, stop));
  return stop;
}

/**
 * Whether a section contains the end tag of its element, another tag right after it, and the start of another section.
 */
function containsMarkup(source: string, { close, end, next }: { close: number; end: number; next: number }): boolean {
  return next > close && next < end && /^<\/[^<>]*>\s*<[a-z/]/i.test(source.slice(close, close + 200));
}

/** A DOCTYPE can contain declarations in brackets, and `>` in quotes. All of it is skipped. */
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

/** indexOf that remembers its last result, so that a document full of unclosed sections is searched only once. */
function cachedIndexOf(source: string): Find {
  const cache = new Map<string, { from: number; found: number }>();
  return (needle, from) => {
    const last = cache.get(needle);
    if (last && from >= last.from && (last.found === -1 || from <= last.found)) return last.found;
    const found = source.indexOf(needle, from);
    cache.set(needle, { from, found });
    return found;
  };
}

function indexAfter(found: number, length: number): number | null {
  return found === -1 ? null : found + length;
}
