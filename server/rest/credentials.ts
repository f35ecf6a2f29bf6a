import type { Reading, Sessions } from '../auth/sessions';
import { invalidToken, unauthenticated } from '../errors';
import type { Access } from './call';

/** What old clients send when they hold no token (spec §6). */
const NO_TOKEN = ['undefined', 'null'];

/** The word behind `Token` in an Authorization header; null where the header is missing or of another scheme. */
function tokenIn(header: string | null): string | null {
  const [scheme = '', ...rest] = (header ?? '').trim().split(/\s+/);
  return scheme.toLowerCase() === 'token' ? rest.join(' ') : null;
}

/**
 * Who calls, by the header `Authorization: Token …` and nothing else: a cookie never counts, so no form of another
 * site can move anything here. @throws common.invalid_token, common.unauthenticated
 */
export async function readCredentials(
  sessions: Pick<Sessions, 'read'>,
  header: string | null,
  access: Access,
): Promise<Reading | null> {
  const token = access === 'none' ? null : tokenIn(header);
  const anonymous = token === null || (access === 'optional' && NO_TOKEN.includes(token));
  if (!anonymous) {
    const reading = /^[\w-]{1,200}$/.test(token) ? await sessions.read(token) : null;
    if (!reading) throw invalidToken();
    return reading;
  }
  if (access === 'auth' || access === 'owner') throw unauthenticated();
  return null;
}
