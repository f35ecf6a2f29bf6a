export type ReadAttributes = {
  attributes: Map<string, string>;
  /** What follows the tag. */
  end: number;
  /** `<a/>`. */
  empty: boolean;
  broken: boolean;
  tooMany: boolean;
};

/** Most elements have none, so that they share this. */
const NONE: Map<string, string> = new Map();
const NAME = /[^\s/>=<]+/y;
const SPACE = /\s*/y;
const BARE = /[^\s><]*/y;
const CURLY = /^[“”„″]+|(?<![“”„″])[“”„″]+$/g;

/** Reads what stands between a tag's name and its end; values are as written. The first of two of a name counts. */
export function attributesAt(source: string, from: number, most: number): ReadAttributes {
  if (source[from] === '>') return { attributes: NONE, end: from + 1, empty: false, broken: false, tooMany: false };
  if (source.startsWith('/>', from))
    return { attributes: NONE, end: from + 2, empty: true, broken: false, tooMany: false };
  const read = { attributes: new Map(), end: from, empty: false, broken: false, tooMany: false, most };
  let at = from;
  while (at < source.length) {
    at = skip(SPACE, source, at);
    const char = source[at];
    if (char === '>') return { ...read, end: at + 1 };
    if (char === '/') {
      at += 1;
      if (source[at] === '>') return { ...read, end: at + 1, empty: true };
      continue;
    }
    // the tag was never closed: what begins here is another
    if (char === '<' || char === undefined) return { ...read, end: at, broken: true };
    at = attribute(source, at, read);
  }
  return { ...read, end: at, broken: true };
}

function attribute(source: string, from: number, read: ReadAttributes & { most: number }): number {
  let at = skip(NAME, source, from);
  const name = source.slice(from, at);
  const assigned = skip(SPACE, source, at);
  let value = '';
  if (source[assigned] === '=') {
    const start = skip(SPACE, source, assigned + 1);
    const quoted = name ? quotedAt(source, start) : null;
    at = quoted ? start + quoted.length + 2 : skip(BARE, source, start);
    value = quoted ? quoted.value : source.slice(start, at).replace(/\/$/, '').replace(CURLY, '');
    if (!quoted) read.broken = true;
    if (!quoted && source[at - 1] === '/' && source[at] === '>') at -= 1;
  } else read.broken = true;
  if (read.attributes.size >= read.most) read.tooMany = true;
  else if (!read.attributes.has(name)) read.attributes.set(name, value);
  return Math.max(at, from + 1);
}

/** A value with `<` in it lost its closing quote, unless it holds a whole tag. */
function quotedAt(source: string, start: number): { value: string; length: number } | null {
  const quote = source[start];
  if (quote !== '"' && quote !== "'") return null;
  const end = source.indexOf(quote, start + 1);
  if (end === -1 || end - start > LONGEST) return null;
  const value = source.slice(start + 1, end);
  if (/>\s*</.test(value)) return null;
  return { value, length: value.length };
}

const LONGEST = 100_000;

function skip(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(source);
  return Math.max(pattern.lastIndex, at);
}
