import type { ActiveSession, Sessions } from '../auth/sessions';
import { invalidToken, unauthenticated } from '../base/errors';
import type { Access } from './call';

/** Legacy clients send these words when they have no token (spec §6). */
const NO_TOKEN = ['undefined', 'null'];

/** The token of a `Token` Authorization header; null if the header is missing or uses another scheme. */
function tokenFrom(header: string | null): string | null {
  const [scheme = '', ...rest] = (header ?? '').trim().split(/\s+/);
  return scheme.toLowerCase() === 'token' ? rest.join(' ') : null;
}

/**
 * The caller's session, from `Authorization: Token …` only. No cookie counts, so another site's form cannot change
 * anything here. @throws common.invalid_token, common.unauthenticated
 */
export async function readCredentials(
  sessions: Pick<Sessions, 'read'>,
  header: string | null,
  access: Access,
): Promise<ActiveSession | null> {
  const token = access === 'none' ? null : tokenFrom(header);
  const anonymous = token === null || (access === 'optional' && NO_TOKEN.includes(token));
  if (!anonymous) {
    const session = /^[\w-]{1,200}$/.test(token) ? await sessions.read(token) : null;
    if (!session) throw invalidToken();
    return session;
  }
  if (access === 'auth' || access === 'owner') throw unauthenticated();
  return null;
}
