import { readAttributes } from './attributes';
import { decodeEntities } from './entities';
import type { Fault } from './faults';

/** A range of the source: of a tag, from its `<` to the index after its `>`. */
export type TagRange = { start: number; end: number };

/**
 * A start tag. Tags that are written in the same way share one object. `plain`: no attribute declares a namespace or has
 * capitals in its name; the handler may set it once it has dealt with those.
 */
export type StartTag = { name: string; attributes: Map<string, string>; selfClosing: boolean; plain: boolean };

export type ScanHandler = {
  open(tag: StartTag, range: TagRange): void;
  /**
   * Takes an element that is empty or contains only text at once, instead of `open`, `text` and `close`. The range is
   * that of its text, with entities. Returns false if the handler needs the three calls.
   */
  leaf?(tag: StartTag, content: TagRange): boolean;
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
  const state: ScanState = { ...options, handler, find: cachedIndexOf(source), known: new Map(), tags: 0, nextEnd: -1 };
  let at = 0;
  while (at < source.length) {
    const mark = source.indexOf('<', at);
    // between most tags of a feed
    if (mark === at + 1 && source[at] === '\n') handler.text('\n');
    else if (mark !== at) scanText(source, { start: at, end: mark === -1 ? source.length : mark }, state);
    if (mark === -1) return;
    state.tags += 1;
    if (state.tags > limits.tags) return handler.fault('too_many_tags');
    at = scanMarkup(source, mark, state);
  }
}

/**
 * `tags`: the number of tags so far. `nextEnd`: the index of the next `>`. `known`: tags by what is written between
 * their marks.
 */
type ScanState = ScanOptions & {
  handler: ScanHandler;
  find: Find;
  tags: number;
  nextEnd: number;
  known: Map<string, StartTag>;
};

function scanText(source: string, { start, end }: TagRange, { handler, limits }: ScanState): void {
  const isLong = end - start > limits.text;
  if (isLong) handler.fault('text_too_long');
  handler.text(decodeEntities(source.slice(start, isLong ? start + limits.text : end), handler.fault));
}

/** Scans what starts with the `<` at `mark`, and returns the index after it. */
function scanMarkup(source: string, mark: number, state: ScanState): number {
  const kind = source[mark + 1] ?? '';
  if (kind === '/') return scanEndTag(source, mark, state.handler);
  if (kind === '!') return scanDeclaration(source, mark, state);
  if (kind === '?') return scanInstruction(source, mark, state);
  return scanStartTag(source, mark, state);
}

function scanInstruction(source: string, mark: number, { find }: ScanState): number {
  return indexAfter(find('?>', mark), 2) ?? indexAfter(find('>', mark), 1) ?? source.length;
}

function scanLessThan(source: string, mark: number, handler: ScanHandler): number {
  handler.fault('bare_less_than');
  let at = mark + 1;
  while (source[at] === '<') at += 1;
  // the last `<` of several may start a tag
  if (at > mark + 1 && /[A-Za-z/!?]/.test(source[at] ?? '')) at -= 1;
  handler.text(source.slice(mark, at));
  return at;
}

/** Tags of at most this length are remembered, and so many of them. */
const KNOWN = { length: 60, tags: 500 };

/** Feeds repeat the same short tags in every item, so each is read once. Most elements contain only text. */
function scanStartTag(source: string, mark: number, state: ScanState): number {
  const { handler, known } = state;
  if (state.nextEnd < mark) state.nextEnd = source.indexOf('>', mark);
  if (state.nextEnd === -1) state.nextEnd = source.length;
  let end = state.nextEnd + 1;
  let tag = end - mark <= KNOWN.length ? known.get(source.slice(mark + 1, end)) : undefined;
  if (!tag) {
    if (!NAME_START.test(source[mark + 1] ?? '')) return scanLessThan(source, mark, handler);
    const read = readStartTag(source, mark, state);
    tag = read.tag;
    end = read.end;
  }
  const textEnd = tag.selfClosing ? end : endOfText(source, end, tag.name);
  if (textEnd !== -1 && textEnd - end <= state.limits.text && state.tags < state.limits.tags) {
    if (handler.leaf?.(tag, { start: end, end: textEnd })) {
      if (tag.selfClosing) return end;
      state.tags += 1;
      return textEnd + 3 + tag.name.length;
    }
  }
  handler.open(tag, { start: mark, end });
  if (tag.selfClosing) handler.close(tag.name, end);
  return end;
}

/** The index of the end tag of this name if only text is before it; otherwise -1. */
function endOfText(source: string, from: number, name: string): number {
  const end = source.indexOf('<', from);
  const isEnd = source[end + 1] === '/' && source[end + 2 + name.length] === '>' && source.startsWith(name, end + 2);
  return isEnd ? end : -1;
}

function readStartTag(source: string, mark: number, { handler, limits, known, nextEnd }: ScanState) {
  NAME.lastIndex = mark + 1;
  const name = NAME.exec(source)?.[0] ?? '';
  const read = readAttributes(source, mark + 1 + name.length, limits.attributes);
  const { attributes, end, selfClosing, plain } = read;
  const tag: StartTag = { name, attributes, selfClosing, plain };
  if (read.broken) handler.fault('broken_attribute');
  if (read.tooMany) handler.fault('too_many_attributes');
  const hasEntities = !plain && decodeValues(attributes, handler);
  const isShort = end === nextEnd + 1 && end - mark <= KNOWN.length && known.size < KNOWN.tags;
  // a tag without faults means the same wherever it is written
  if (isShort && !read.broken && !read.tooMany && !hasEntities) known.set(source.slice(mark + 1, end), tag);
  return { tag, end };
}

/** @returns whether any value had entities */
function decodeValues(attributes: Map<string, string>, { fault }: ScanHandler): boolean {
  let hasEntities = false;
  for (const [key, value] of attributes) {
    if (!value.includes('&')) continue;
    hasEntities = true;
    attributes.set(key, decodeEntities(value, fault));
  }
  return hasEntities;
}

function scanEndTag(source: string, mark: number, handler: ScanHandler): number {
  const open = handler.current();
  const afterOpen = mark + 2 + open.length;
  if (open !== '' && source[afterOpen] === '>' && source.startsWith(open, mark + 2)) {
    handler.close(open, mark);
    return afterOpen + 1;
  }
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

/** Mutable, because tags search for their end so often that a new object each time would show. */
type Found = { from: number; at: number };

/** indexOf that remembers its last result, so that a document full of unclosed sections is searched only once. */
function cachedIndexOf(source: string): Find {
  const cache = new Map<string, Found>();
  return (needle, from) => {
    const last = cache.get(needle);
    if (last && from >= last.from && (last.at === -1 || from <= last.at)) return last.at;
    const at = source.indexOf(needle, from);
    if (!last) cache.set(needle, { from, at });
    else {
      last.from = from;
      last.at = at;
    }
    return at;
  };
}

function indexAfter(found: number, length: number): number | null {
  return found === -1 ? null : found + length;
}
