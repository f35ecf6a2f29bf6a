import type { Role } from '~/server/policy/roles';
import type { Actor, Ctx } from '~/server/runtime/ctx';
import { type Runtime, systemCtx } from '~/server/runtime/runtime';
import { createCaller } from '~/server/trpc/caller';
import { cookieContext, tokenContext } from '~/server/trpc/context';

type Identity = { id: number; creatorId: number | null; role?: Role };
type CtxOptions = { now?: Date };

/** Lets tests act as a person: through procedures, or through domain functions that take a context. */
export function acting(runtime: Runtime) {
  /**
   * Procedures called with a session token, which each call reads from the database; null for a visitor. `channel`:
   * only pages act for the creator that the session has chosen.
   */
  async function as(holder: { token: string } | null, channel: 'rest' | 'web' = 'rest') {
    const headers = new Headers({ 'user-agent': 'Test/1.0' });
    const request = { headers, host: 'altavoz.localhost', address: '203.0.113.7', requestId: 'test' };
    const session = holder ? await runtime.sessions.read(holder.token) : null;
    if (channel === 'web') {
      const cookie = `token=${holder?.token}`;
      const atHost = { ...request, headers: new Headers({ cookie, 'user-agent': 'Test/1.0' }) };
      return createCaller(await cookieContext(runtime, { ...atHost, language: 'en' }, new Headers()));
    }
    return createCaller(
      await tokenContext(runtime, { request: { ...request, language: 'en' }, out: new Headers() }, session),
    );
  }

  function ctxFor(actor: Actor, { now }: CtxOptions): Ctx {
    const network = '203.0.113.0/24';
    const client = {
      address: '203.0.113.7',
      userAgent: 'Test/1.0',
      network,
      isKnownDevice: false,
      channel: 'web' as const,
    };
    return { ...systemCtx(runtime, 'test'), actor, client, ...(now && { now: () => now }) };
  }
  const ctxOf = ({ id, creatorId, role = 'owner' }: Identity, options: CtxOptions = {}) =>
    ctxFor({ type: 'user', userId: id, creatorId, role, sessionId: 'test' }, options);
  const visitorCtx = (options: CtxOptions = {}) => ctxFor({ type: 'visitor' }, options);

  return { as, ctxOf, visitorCtx };
}
