import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The form of the API's tokens: a prefix that secret scanners find, 32 random bytes in base62, and a checksum, by which
 * anyone recognises a mistyped token without asking us.
 */
export const KEY_PREFIX = 'av_live_';
/** Of access tokens, and of what apps exchange for them. */
export const APP_PREFIX = 'av_app_';
export const REFRESH_PREFIX = 'av_refresh_';
export const CODE_PREFIX = 'av_code_';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_BYTES = 32;
const RANDOM_LENGTH = lengthOf(RANDOM_BYTES);
const CRC32_BYTES = 4;
const CHECKSUM_LENGTH = lengthOf(CRC32_BYTES);

/** @param bytes 32 that nobody can guess; random ones by default */
export function createToken(prefix: string, bytes: Buffer = randomBytes(RANDOM_BYTES)): string {
  const secret = prefix + toBase62(bytes, RANDOM_LENGTH);
  return secret + checksumOf(secret);
}

/** Whether a text has the form of a token with this prefix, and its checksum is right. */
export function isToken(prefix: string, text: string): boolean {
  if (text.length !== prefix.length + RANDOM_LENGTH + CHECKSUM_LENGTH || !text.startsWith(prefix)) return false;
  return text.endsWith(checksumOf(text.slice(0, -CHECKSUM_LENGTH)));
}

/** What people see of a token once it has been created: its end, as it is in their own settings. */
export const lastFourOf = (token: string): string => token.slice(-4);

/** Computed for every request, so without the big integers that only the random bytes need. */
function checksumOf(secret: string): string {
  let number = crc32(secret);
  let text = '';
  for (; text.length < CHECKSUM_LENGTH; number = Math.floor(number / 62)) text = ALPHABET[number % 62] + text;
  return text;
}

function toBase62(bytes: Buffer, length: number): string {
  let number = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (; text.length < length; number /= 62n) text = ALPHABET[Number(number % 62n)] + text;
  return text;
}

/** The digits of base62 that any number of so many bytes needs. */
function lengthOf(bytes: number): number {
  return Math.ceil((8 * bytes) / Math.log2(ALPHABET.length));
}
