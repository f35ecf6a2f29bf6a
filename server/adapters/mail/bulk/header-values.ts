import { domainToASCII } from 'node:url';

const CRLF = '\r\n';
/** RFC 2047 §2 */
const MAX_ENCODED_WORD = 75;
const MAX_LINE = 76;
/** RFC 5322 §2.1.1, without CRLF. */
const MAX_HEADER_LINE = 998;
const PRINTABLE = /^[\x20-\x7e]*$/;
const ATOMS = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]*$/;

/** Thrown for a value that could break out of its header, and for what is no address. */
export class UnsafeHeader extends Error {}

/** Free text, such as a subject. Line breaks and other control characters become spaces. */
export function encodeText(text: string, nameLength: number): string {
  const line = onOneLine(text);
  if (!PRINTABLE.test(line) || line.includes('=?') || /\S{900}/.test(line)) return encodeWords(line, nameLength);
  return foldAtSpaces(line, nameLength);
}

/** A name before an address or a list's id. */
export function encodePhrase(name: string, nameLength: number): string {
  const line = onOneLine(name);
  if (!PRINTABLE.test(line) || line.includes('=?') || line.length > MAX_LINE) return encodeWords(line, nameLength);
  return ATOMS.test(line) ? line : `"${line.replace(/["\\]/g, '\\$&')}"`;
}

/** `Name <address>`. @throws UnsafeHeader */
export function encodeMailbox({ name, address }: { name: string; address: string }, nameLength: number): string {
  const checked = checkAddress(address);
  if (onOneLine(name) === '') return checked;
  const phrase = encodePhrase(name, nameLength);
  const lastLine = phrase.length - phrase.lastIndexOf('\n') + (phrase.includes('\n') ? 0 : nameLength);
  return `${phrase}${lastLine + checked.length > MAX_LINE ? CRLF : ''} <${checked}>`;
}

/** Quoted local parts are rejected: hardly any server accepts them, and they can contain anything. */
const ADDRESS = /^[^\s"(),:;<>@[\\\]\p{Cc}]+@[^\s"(),:;<>@[\\\]\p{Cc}]+$/u;
/** RFC 5321 §4.5.3.1.3 */
const MAX_ADDRESS = 254;

/** @returns the address with its domain in ASCII @throws UnsafeHeader */
export function checkAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = domainToASCII(address.slice(at + 1));
  if (!ADDRESS.test(address) || domain === '' || Buffer.byteLength(address) > MAX_ADDRESS) {
    throw new UnsafeHeader('not an address that emails can be sent to');
  }
  return PRINTABLE.test(address) ? address : `${address.slice(0, at)}@${domain}`;
}

/** A value that machines read: printable ASCII without spaces or angle brackets. @throws UnsafeHeader */
export function checkToken(token: string): string {
  if (!/^[!-;=?-~]+$/.test(token) || token.length > MAX_HEADER_LINE - 100) {
    throw new UnsafeHeader('not a value for a header');
  }
  return token;
}

/** RFC 5322 §3.3 in UTC: `Fri, 27 Nov 2026 08:00:00 +0000` */
export const encodeDate = (date: Date): string => date.toUTCString().replace(/GMT$/, '+0000');

const onOneLine = (text: string) =>
  text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();

function foldAtSpaces(text: string, nameLength: number): string {
  let line = nameLength;
  return text
    .split(' ')
    .map((word, i) => {
      const folds = i > 0 && line + 1 + word.length > MAX_LINE;
      line = folds ? 1 + word.length : line + (i > 0 ? 1 : 0) + word.length;
      return `${i === 0 ? '' : folds ? `${CRLF} ` : ' '}${word}`;
    })
    .join('');
}

/** Base64 words (RFC 2047), each with whole characters, one per line. */
function encodeWords(text: string, nameLength: number): string {
  const words: string[] = [];
  let word = '';
  const room = () => MAX_ENCODED_WORD - '=?UTF-8?B??='.length - (words.length === 0 ? nameLength : 0);
  for (const char of text) {
    if (word !== '' && Math.ceil(Buffer.byteLength(word + char) / 3) * 4 > room()) {
      words.push(word);
      word = '';
    }
    word += char;
  }
  return [...words, word].map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join(`${CRLF} `);
}
