import type { Fault } from './faults';

/** The HTML entities of U+00A0 to U+00FF, in order. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const OTHERS: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  OElig: 'Œ',
  oelig: 'œ',
  Scaron: 'Š',
  scaron: 'š',
  Yuml: 'Ÿ',
  ensp: '\u2002',
  emsp: '\u2003',
  thinsp: '\u2009',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  dagger: '†',
  bull: '•',
  hellip: '…',
  prime: '′',
  Prime: '″',
  lsaquo: '‹',
  rsaquo: '›',
  euro: '€',
  trade: '™',
  larr: '←',
  rarr: '→',
  minus: '−',
  infin: '∞',
  hearts: '♥',
};

const NAMED = new Map<string, string>(Object.entries(OTHERS));
for (const [offset, name] of LATIN.split(' ').entries()) NAMED.set(name, String.fromCodePoint(0xa0 + offset));

/** Windows-1252 from 0x80 to 0x9f, which `&#128;` to `&#159;` stand for. */
export const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const REFERENCE = /&(?:#(\d{1,8}|[xX][\da-fA-F]{1,6});|([A-Za-z][A-Za-z\d]{0,30});)/g;

/** Decodes each entity and numeric reference once. Unknown entities stay as written. */
export function decodeEntities(text: string, fault: (fault: Fault) => void = () => {}): string {
  if (!text.includes('&')) return text;
  let references = 0;
  const decoded = text.replace(REFERENCE, (reference, number: string | undefined, name: string | undefined) => {
    references += 1;
    const known = number ? characterOf(number) : NAMED.get(name ?? '');
    if (known === undefined) fault('unknown_entity');
    return known ?? (number ? '\ufffd' : reference);
  });
  if (count(text, '&') > references) fault('bare_ampersand');
  return decoded;
}

function count(text: string, char: string): number {
  let found = 0;
  for (let at = text.indexOf(char); at !== -1; at = text.indexOf(char, at + 1)) found += 1;
  return found;
}

/** Undefined for a character that XML forbids. */
function characterOf(number: string): string | undefined {
  const code = /^[xX]/.test(number) ? Number.parseInt(number.slice(1), 16) : Number(number);
  if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252[code - 0x80]!;
  const allowed = code >= 0x20 ? !(code >= 0xd800 && code <= 0xdfff) && code <= 0x10ffff : [9, 10, 13].includes(code);
  return allowed ? String.fromCodePoint(code) : undefined;
}
