export type AttributesRead = {
  attributes: Map<string, string>;
  /** The index after the tag. */
  end: number;
  /** Whether the tag is `<a/>`. */
  selfClosing: boolean;
  broken: boolean;
  tooMany: boolean;
  /** No name has capitals or declares a namespace, and no value has entities. */
  plain: boolean;
};

type Reading = AttributesRead & { maxCount: number };

/** Shared, because most elements have no attributes. */
const NONE: Map<string, string> = new Map();
const NAME = /[^\s/>=<]+/y;
const SPACE = /\s*/y;
const UNQUOTED = /[^\s><]*/y;
/** An attribute as nearly all feeds write it, without anything that needs a closer look. */
const PLAIN = /\s+((?!xmlns)[a-z][a-z\d:_.-]*)="([^"<>&]*)"/y;
const CURLY_QUOTES = /^[“”„″]+|(?<![“”„″])[“”„″]+$/g;
const MAX_QUOTED_LENGTH = 100_000;

/**
 * Reads from the end of a tag's name to the end of the tag. Values stay as written; the first of two duplicates wins.
 */
export function readAttributes(source: string, from: number, maxCount: number): AttributesRead {
  if (source[from] === '>') return withoutAttributes(from + 1, false);
  if (source.startsWith('/>', from)) return withoutAttributes(from + 2, true);
  // one literal, changed in place: a copy with further fields would take longer than reading the tag (decision 0119)
  const read: Reading = {
    attributes: new Map(),
    end: from,
    selfClosing: false,
    broken: false,
    tooMany: false,
    plain: true,
    maxCount,
  };
  let at = readPlainAttributes(source, from, read);
  while (at < source.length) {
    at = skip(SPACE, source, at);
    const char = source[at];
    if (char === '>') return endAt(at + 1, read);
    if (char === '/') {
      at += 1;
      if (source[at] !== '>') continue;
      read.selfClosing = true;
      return endAt(at + 1, read);
    }
    // the tag is unclosed, and another one starts here
    if (char === '<' || char === undefined) break;
    read.plain = false;
    at = readAttribute(source, at, read);
  }
  read.broken = true;
  return endAt(at, read);
}

/** Takes the first attributes as one match each, which reads the same as `readAttribute` in less time. */
function readPlainAttributes(source: string, from: number, { attributes, maxCount }: Reading): number {
  let at = from;
  while (attributes.size < maxCount) {
    PLAIN.lastIndex = at;
    const found = PLAIN.exec(source);
    if (!found || found[2]!.length >= MAX_QUOTED_LENGTH || attributes.has(found[1]!)) break;
    attributes.set(found[1]!, found[2]!);
    at = PLAIN.lastIndex;
  }
  return at;
}

function endAt(end: number, read: Reading): AttributesRead {
  read.end = end;
  return read;
}

function withoutAttributes(end: number, selfClosing: boolean): AttributesRead {
  return { attributes: NONE, end, selfClosing, broken: false, tooMany: false, plain: true };
}

function readAttribute(source: string, from: number, read: Reading): number {
  let at = skip(NAME, source, from);
  const name = source.slice(from, at);
  const equals = skip(SPACE, source, at);
  let value = '';
  if (source[equals] === '=') {
    const start = skip(SPACE, source, equals + 1);
    const quoted = name ? quotedValueAt(source, start) : null;
    at = quoted === null ? skip(UNQUOTED, source, start) : start + quoted.length + 2;
    value = quoted ?? unquotedValue(source, start, at);
    if (quoted === null) read.broken = true;
    if (quoted === null && source[at - 1] === '/' && source[at] === '>') at -= 1;
  } else read.broken = true;
  if (read.attributes.size >= read.maxCount) read.tooMany = true;
  else if (!read.attributes.has(name)) read.attributes.set(name, value);
  return Math.max(at, from + 1);
}

/** The value without a quote that is not closed. A value that the end of the document cuts off is not used. */
function unquotedValue(source: string, start: number, end: number): string {
  const value = end < source.length ? source.slice(start, end) : '';
  return value.replace(/\/$/, '').replace(/^["']/, '').replace(CURLY_QUOTES, '');
}

/**
 * Null if the value is unquoted, or if it contains the end of this tag and another tag: then its closing quote is
 * missing.
 */
function quotedValueAt(source: string, start: number): string | null {
  const quote = source[start];
  if (quote !== '"' && quote !== "'") return null;
  const end = source.indexOf(quote, start + 1);
  if (end === -1 || end - start > MAX_QUOTED_LENGTH) return null;
  const value = source.slice(start + 1, end);
  return />\s*</.test(value) ? null : value;
}

function skip(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(source);
  return Math.max(pattern.lastIndex, at);
}
