import type { Scope } from '~/db/values/api-scopes';
import type { Audience } from '~/db/values/apps';
import type { Language } from '~/locales/languages';
import { noteKeyUse } from '../../auth/api-keys';
import { APP_PREFIX, KEY_PREFIX } from '../../auth/api-tokens';
import { noteAppUse } from '../../auth/app-tokens';
import { invalidToken, unauthenticated } from '../../base/errors';
import { earlier } from '../../base/time';
import { networkOf, SITE } from '../../flow/rate-limits';
import type { ClientRequest } from '../../http/request-context';
import { APP_LIMITS } from '../../limits/apps';
import { DEVELOPER_LIMITS } from '../../limits/developers';
import type { Role } from '../../policy/roles';
import type { Runtime } from '../../runtime/runtime';
import { apiCtxOf } from '../../trpc/context';
import type { ApiCtx } from '../../trpc/init';

/** Who calls: a key or an app, for a user in a role of a creator's team, with some of what that role may do. */
export type ApiAccess = {
  kind: 'key' | 'app';
  id: number;
  userId: number;
  creatorId: number;
  /** The page of the user, if it is the same creator. */
  ownCreatorId: number | null;
  role: Role;
  scopes: readonly Scope[];
  language: Language | null;
  country: string | null;
  /** The only door for which an app's token is; null for keys, which open all. */
  audience: Audience | null;
};

/** The name of a caller in our tables: `key:7`. */
export const callerOf = ({ kind, id }: Pick<ApiAccess, 'kind' | 'id'>): string => `${kind}:${id}`;

type BearerRequest = Pick<ClientRequest, 'headers' | 'address'>;
type ReadToken = (runtime: Runtime, token: string, request: BearerRequest) => Promise<ApiAccess | null>;

/** How each kind of token is read, by its prefix. */
const READERS: readonly [string, ReadToken][] = [
  [KEY_PREFIX, readKey],
  [APP_PREFIX, readApp],
];

/**
 * The caller that `Authorization: Bearer …` names. Nothing else counts: no cookie, and no session.
 * @param audience the door that asks
 * @throws common.unauthenticated without such a header; common.invalid_token
 */
export async function readBearer(
  runtime: Runtime,
  request: BearerRequest,
  audience: Audience = 'v1',
): Promise<ApiAccess> {
  const header = request.headers.get('authorization') ?? '';
  const token = /^bearer +(\S{1,200}) *$/i.exec(header)?.[1];
  if (token === undefined) throw header === '' ? unauthenticated() : invalidToken();
  const read = READERS.find(([prefix]) => token.startsWith(prefix))?.[1];
  const access = await read?.(runtime, token, request);
  if (access && (access.audience ?? audience) === audience) return access;
  throw invalidToken();
}

/** The context of the procedures that such a caller calls. */
export function apiContext(runtime: Runtime, request: ClientRequest, access: ApiAccess): ApiCtx {
  const ctx = apiCtxOf(runtime, request, { ...access, token: callerOf(access), renewed: false });
  return ctx.actor.type === 'user' ? { ...ctx, actor: { ...ctx.actor, scopes: access.scopes } } : ctx;
}

async function readKey(runtime: Runtime, token: string, { address }: BearerRequest): Promise<ApiAccess | null> {
  const now = runtime.now();
  const key = await runtime.sessions.readKey(token);
  if (!key || (key.expiresAt !== null && key.expiresAt <= now)) return null;
  if (key.lastUsedAt === null || key.lastUsedAt < earlier(now, DEVELOPER_LIMITS.notedEvery)) {
    key.lastUsedAt = now;
    const noted = noteKeyUse(runtime.db, key.id, { at: now, network: networkOf(address, SITE) });
    runtime.recorders.follow(noted.catch((err) => runtime.log.warn({ err }, 'use of a key not noted')));
  }
  const { id, userId, creatorId, ownCreatorId, role, scopes, language, country } = key;
  return { kind: 'key', id, userId, creatorId, ownCreatorId, role, scopes, language, country, audience: null };
}

async function readApp(runtime: Runtime, token: string): Promise<ApiAccess | null> {
  const now = runtime.now();
  const found = await runtime.sessions.readAppToken(token);
  if (!found || found.expiresAt <= now) return null;
  if (found.lastUsedAt === null || found.lastUsedAt < earlier(now, APP_LIMITS.notedEvery)) {
    found.lastUsedAt = now;
    const noted = noteAppUse(runtime.db, found.id, now);
    runtime.recorders.follow(noted.catch((err) => runtime.log.warn({ err }, 'use of an app not noted')));
  }
  const { id, userId, creatorId, ownCreatorId, role, scopes, language, country, audience } = found;
  return { kind: 'app', id, userId, creatorId, ownCreatorId, role, scopes, language, country, audience };
}
