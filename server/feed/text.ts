/**
 * Markup characters, white space other than single spaces between words, characters that XML forbids, and characters
 * too rare to be listed here. Most values contain none of these, so one test is enough to write them unchanged.
 */
const SPECIAL =
  /[^ !#-%'-;=?-~\u00a1-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2060-\u2fff\u3001-\ud7ff\ue000-\ufefe\uff00-\ufffd]|^ | $| {2}/;

/** Whether text may need escaping, trimming or cleaning before it is written as XML. */
export function hasSpecialCharacters(text: string): boolean {
  return SPECIAL.test(text);
}

/** One trimmed line without characters that XML forbids. */
export function plainText(text: string): string {
  return hasSpecialCharacters(text) ? toOneLine(text) : text;
}

const RUN_OF_SPACE = /\s{2,}|[\t\n\r]/g;

/** `plainText` without its fast path, for a caller that has tested the text already. */
export function toOneLine(text: string): string {
  return removeForbidden(text).replace(RUN_OF_SPACE, ' ').trim();
}

/** Trimmed HTML without characters that XML forbids, with line ends as XML parsers normalize them (XML 1.0 §2.11). */
export function richText(html: string): string {
  const text = removeForbidden(html).trim();
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Cuts at a whole character: half a surrogate pair is forbidden in XML. */
export function clip(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : Array.from(text).slice(0, maxCharacters).join('').trim();
}

const CONTROLS = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)).filter(
  (char) => !'\t\n\r'.includes(char),
);
/**
 * Forbidden characters of one UTF-16 unit. Listing them is twice as fast as a negated class; surrogates have a test of
 * their own.
 */
const FORBIDDEN_UNIT = new RegExp(`[${CONTROLS.join('')}\ufffe\uffff]`);
/** Everything that is not a `Char` in XML 1.0 §2.2: control characters, lone surrogates, U+FFFE and U+FFFF. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

function removeForbidden(text: string): string {
  return FORBIDDEN_UNIT.test(text) || !text.isWellFormed() ? text.replace(FORBIDDEN, '') : text;
}
