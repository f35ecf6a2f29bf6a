import type { Context, Hono } from 'hono';
import type { SandboxContext } from './context';
import { readSigned, type SignedPayload } from './signed';
import type { Granted, Tokens } from './tokens';

type Call = { payload: SignedPayload; granted: Granted };
type Answer = { status: 200 | 400 | 403 | 404 | 409; body?: object };

/** The calls of Open Access. Each needs its scope, and a body that the client has signed. */
export function mountOpenAccess(app: Hono, { baseUrl, client, store, faultOf }: SandboxContext, tokens: Tokens): void {
  const mount = (name: string, scope: string, serve: (call: Call) => Promise<Answer>) =>
    app.post(`/api/v1/${name}`, async (c) => {
      const fault = faultOf(name);
      if (fault && fault !== 'away') return faulty(c, fault);
      const granted = tokens.find(/^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '');
      if (!granted) return c.json({ error: 'invalid token' }, 401);
      const payload = await readSigned(await c.req.text(), client.clientSecret);
      if (!payload) return c.json({ error: 'malformed' }, 400);
      if (!granted.scopes.includes(scope) || payload.partner_id !== client.partnerId)
        return c.json({ error: 'unauthorised client' }, 403);
      const { status, body } = await serve({ payload, granted });
      return body ? c.json(body, status) : c.body(null, status);
    });

  mount('register-user', 'user-soa-link', async ({ payload, granted }) => {
    if (!granted.account) return { status: 403 };
    const { partner_user_id: id, entitlements = [] } = payload;
    const isFree = await store.register({ id, account: granted.account.id, entitlements });
    return isFree ? { status: 200, body: { completion_url: `${baseUrl}/completed` } } : { status: 409 };
  });

  const manage = (name: string, change: (kept: string[], given: string[]) => string[] | null) =>
    mount(`${name}-entitlements`, 'soa-manage-entitlements', async ({ payload }) => {
      const kept = await store.entitlementsOf(payload.partner_user_id);
      if (kept === null) return { status: 404 };
      const changed = change(kept, payload.entitlements ?? []);
      if (changed === null) return { status: 200, body: { entitlements: kept } };
      await store.setEntitlements(payload.partner_user_id, changed);
      return { status: 200 };
    });
  manage('get', () => null);
  manage('add', (kept, given) => [...new Set([...kept, ...given])]);
  manage('delete', (kept, given) => kept.filter((name) => !given.includes(name)));
  manage('replace', (_, given) => given);

  mount('unlink-user', 'user-soa-unlink', async ({ payload }) => ({
    status: (await store.unlink(payload.partner_user_id)) ? 200 : 404,
  }));
}

/** A fault that a test has set. */
export function faulty(c: Context, { status, retryAfter }: { status: number; retryAfter?: number }) {
  if (retryAfter !== undefined) c.header('retry-after', String(retryAfter));
  return c.json({ error: 'fault' }, status as 500);
}
