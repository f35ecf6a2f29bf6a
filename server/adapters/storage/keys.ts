import { extname } from 'node:path';

const KEY = /^[A-Za-z0-9_][A-Za-z0-9._-]*(\/[A-Za-z0-9_][A-Za-z0-9._-]*)*$/;
const LONGEST_KEY = 512;

export function isKey(key: string): boolean {
  return key.length <= LONGEST_KEY && KEY.test(key);
}

/** Keys come from our own code, so an invalid one is a bug; no segment may start with a dot. */
export function assertKey(key: string): string {
  if (!isKey(key)) throw new Error(`not an object key: ${JSON.stringify(key)}`);
  return key;
}

const TYPES: Record<string, string> = {
  '.mp3': 'audio/mpeg',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
};

export function contentTypeOf(key: string): string {
  return TYPES[extname(key)] ?? 'application/octet-stream';
}
