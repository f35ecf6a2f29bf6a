import { FEED_IMPORT_LIMITS } from '../../limits/rss-import';
import { type Stretch, scan } from './scanner';

/** Characters that XML 1.0 does not allow (§2.2); half of a surrogate pair is one. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
/** What holds no references, with its end; a DOCTYPE has none of these, and what follows it is let be. */
const UNREAD = /<!--|<!\[CDATA\[|<\?|<!/g;
const ENDS: Record<string, string> = { '<!--': '-->', '<![CDATA[': ']]>', '<?': '?>' };
const ATTRIBUTE = /(?<![^\s=<>"'/])([^\s=<>"'/]+)\s*=\s*(?:"[^"]*"|'[^']*')/g;
const REFERENCE = /&(?:#(\d+)|#x([\da-fA-F]+)|([^\s&;<]+));/g;
const PREDEFINED = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);

/**
 * What the reader mends without a word and an XML parser stops at: characters, references, `]]>` in text, attributes that
 * stand twice, tags whose case differs, several roots. For documents in which the scanner found no fault.
 */
export function isStrict(source: string): boolean {
  if (FORBIDDEN.test(source)) return false;
  const declares = source.includes('<!ENTITY');
  const open: string[] = [];
  let [roots, read, sound] = [0, 0, true];
  const between = (end: number) => {
    const text = readable(source.slice(read, end));
    sound &&= !text.includes(']]>') && areReferencesSound(text, declares);
    read = end;
  };
  const handler = {
    open(name: string, _: unknown, { start, end }: Stretch) {
      between(start);
      read = end;
      if (open.length === 0) roots += 1;
      open.push(name);
      sound &&= isTagSound(source.slice(start, end), declares);
    },
    close(name: string, start: number) {
      between(start);
      sound &&= open.pop() === name;
    },
    text() {},
    fault() {},
    current: () => open.at(-1) ?? '',
  };
  scan(source, handler, { bounds: FEED_IMPORT_LIMITS, guessing: false });
  between(source.length);
  return sound && roots === 1 && open.length === 0;
}

/** Stops where an end is missing, so that it stays linear. */
function readable(text: string): string {
  let [kept, at] = ['', 0];
  for (;;) {
    UNREAD.lastIndex = at;
    const opening = UNREAD.exec(text);
    kept += text.slice(at, opening?.index);
    const mark = ENDS[opening?.[0] ?? ''];
    const end = opening && mark ? text.indexOf(mark, UNREAD.lastIndex) : -1;
    if (!mark || end === -1) return kept;
    at = end + mark.length;
  }
}

function areReferencesSound(text: string, declares: boolean): boolean {
  if (!text.includes('&')) return true;
  for (const [, decimal, hex, name] of text.matchAll(REFERENCE)) {
    if (name !== undefined && !declares && !PREDEFINED.has(name)) return false;
    if (name !== undefined) continue;
    const code = decimal ? Number(decimal) : Number.parseInt(hex!, 16);
    if (code > 0x10ffff || FORBIDDEN.test(String.fromCodePoint(code))) return false;
  }
  return true;
}

function isTagSound(tag: string, declares: boolean): boolean {
  const names = [...tag.matchAll(ATTRIBUTE)].map(([, name]) => name);
  return new Set(names).size === names.length && areReferencesSound(tag, declares);
}
