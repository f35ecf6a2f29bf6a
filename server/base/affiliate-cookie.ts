import { timingSafeEqual } from 'node:crypto';
import { AFFILIATE_LIMITS } from '../limits/affiliates';
import { earlier } from './time';

/** Remembers the affiliate's link by which a browser came first; only the server reads it (docs/decisions/0397). */
export const AFFILIATE_COOKIE = 'affiliate';

/** `at`: when the link was followed. `visitor`: a random name of the browser, so that it counts once a day. */
export type FollowedLink = { code: string; at: Date; visitor: string };

/** Cheap, because it runs for every request. */
export const namesAffiliate = (url: string): boolean => /^[^?]*\?(?:.*&)?ref=/.test(url);

type Signer = { fingerprint(text: string, owner: string): string };

const OWNER = 'link of an affiliate';
const VALUE = /^(([a-z0-9-]{4,32})\.(\d{10,12})\.([\w-]{22}))\.([\w-]{43})$/;

/** Signed, so that only a followed link makes one, and nobody can change its time. */
export function affiliateCookie(vault: Signer, { code, at, visitor }: FollowedLink): string {
  const text = `${code}.${Math.floor(at.getTime() / 1000)}.${visitor}`;
  return `${text}.${vault.fingerprint(text, OWNER)}`;
}

/** What a browser remembers; null if we have not written it, or if it has expired. */
export function readAffiliateCookie(vault: Signer, value: string | undefined, now: Date): FollowedLink | null {
  const [, text = '', code = '', seconds, visitor = '', signature = ''] = VALUE.exec(value ?? '') ?? [];
  if (!text) return null;
  const expected = Buffer.from(vault.fingerprint(text, OWNER));
  const given = Buffer.from(signature);
  const at = new Date(Number(seconds) * 1000);
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
  return isOurs && at > earlier(now, AFFILIATE_LIMITS.remembered) ? { code, at, visitor } : null;
}
