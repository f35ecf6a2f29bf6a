import { FEED_IMPORT_LIMITS } from '../../limits/rss-import';
import { type StartTag, scan, type TagRange } from './scanner';

/** Characters that XML 1.0 §2.2 forbids, half a surrogate pair included. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
/** The start of markup that contains no references. A DOCTYPE has no end mark here, so it is not skipped. */
const OPAQUE = /<!--|<!\[CDATA\[|<\?|<!/g;
const END_MARKS: Record<string, string> = { '<!--': '-->', '<![CDATA[': ']]>', '<?': '?>' };
const ATTRIBUTE = /(?<![^\s=<>"'/])([^\s=<>"'/]+)\s*=\s*(?:"[^"]*"|'[^']*')/g;
const REFERENCE = /&(?:#(\d+)|#x([\da-fA-F]+)|([^\s&;<]+));/g;
const PREDEFINED = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);

/**
 * Checks what the reader accepts silently but an XML parser rejects: characters, references, `]]>` in text, duplicate
 * attributes, tags whose case differs, several roots. Call it for documents in which the scanner found no fault.
 */
export function isStrictXml(source: string): boolean {
  if (FORBIDDEN.test(source)) return false;
  const hasEntities = source.includes('<!ENTITY');
  const open: string[] = [];
  let [roots, checked, isValid] = [0, 0, true];
  const checkTextUntil = (end: number) => {
    const text = withoutOpaque(source.slice(checked, end));
    isValid &&= !text.includes(']]>') && hasValidReferences(text, hasEntities);
    checked = end;
  };
  const handler = {
    open({ name }: StartTag, { start, end }: TagRange) {
      checkTextUntil(start);
      checked = end;
      if (open.length === 0) roots += 1;
      open.push(name);
      isValid &&= isValidTag(source.slice(start, end), hasEntities);
    },
    close(name: string, start: number) {
      checkTextUntil(start);
      isValid &&= open.pop() === name;
    },
    text() {},
    fault() {},
    current: () => open.at(-1) ?? '',
  };
  scan(source, handler, { limits: FEED_IMPORT_LIMITS, guessing: false });
  checkTextUntil(source.length);
  return isValid && roots === 1 && open.length === 0;
}

/**
 * Removes comments, CDATA sections and processing instructions. Stops at a missing end mark, so it takes linear time.
 */
function withoutOpaque(text: string): string {
  let [result, at] = ['', 0];
  for (;;) {
    OPAQUE.lastIndex = at;
    const opening = OPAQUE.exec(text);
    result += text.slice(at, opening?.index);
    const mark = END_MARKS[opening?.[0] ?? ''];
    const end = opening && mark ? text.indexOf(mark, OPAQUE.lastIndex) : -1;
    if (!mark || end === -1) return result;
    at = end + mark.length;
  }
}

function hasValidReferences(text: string, hasEntities: boolean): boolean {
  if (!text.includes('&')) return true;
  for (const [, decimal, hex, name] of text.matchAll(REFERENCE)) {
    if (name !== undefined && !hasEntities && !PREDEFINED.has(name)) return false;
    if (name !== undefined) continue;
    const code = decimal ? Number(decimal) : Number.parseInt(hex!, 16);
    if (code > 0x10ffff || FORBIDDEN.test(String.fromCodePoint(code))) return false;
  }
  return true;
}

function isValidTag(tag: string, hasEntities: boolean): boolean {
  const names = [...tag.matchAll(ATTRIBUTE)].map(([, name]) => name);
  return new Set(names).size === names.length && hasValidReferences(tag, hasEntities);
}
