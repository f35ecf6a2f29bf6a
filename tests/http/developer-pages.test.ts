import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { apiCalls, apiKeys } from '~/db/schema/developers';
import { members } from '~/db/schema/team';
import { listCalls } from '~/server/domain/developers/list-calls';
import { DEVELOPER_LIMITS } from '~/server/limits/developers';
import { cast } from '../support/cast';
import { PASSWORD } from '../support/make';
import { pagesApp } from '../support/pages-app';
import { rowsRead } from '../support/rows-read';

const { runtime, env, make, ctxOf } = await cast({ empty: true });
const app = pagesApp(runtime, env.urls);
const { appUrl } = env.urls;

async function open(path: string, { token = '' } = {}) {
  const response = await app.request(appUrl + path, { headers: { cookie: token && `token=${token}` } });
  const { status, headers } = response;
  return { status, headers, location: headers.get('location'), html: await response.text() };
}
async function send(token: string, values: Record<string, string>) {
  const { host, origin } = new URL(appUrl);
  const headers = { host, origin, cookie: `token=${token}`, 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(values);
  const response = await app.request(`${appUrl}/profile/developers`, { method: 'POST', headers, body });
  return { status: response.status, location: response.headers.get('location'), html: await response.text() };
}
const keyIn = (html: string) => /av_live_[0-9A-Za-z]{49}/.exec(html)?.[0];
const NEW = {
  intent: 'create',
  name: 'Website',
  life: 'year',
  'scope-shows': 'write',
  'scope-money': 'read',
  currentPassword: PASSWORD,
};

test('without a script, an owner creates a key, sees it once, replaces it and revokes it', async () => {
  const owner = await make.creator();
  const rows = () =>
    runtime.db.select().from(apiKeys).where(eq(apiKeys.creatorId, owner.creatorId)).orderBy(apiKeys.id);

  const created = await send(owner.token, NEW);
  const listed = await open('/profile/developers', owner);
  const [first] = await rows();
  const rotated = await send(owner.token, {
    intent: 'rotate',
    id: String(first!.id),
    overlap: 'day',
    currentPassword: PASSWORD,
  });
  const revoked = await send(owner.token, { intent: 'revoke', id: String(first!.id) });
  const both = await open('/profile/developers', owner);

  expect(created.status).toBe(200);
  expect(keyIn(created.html)).toBeDefined();
  expect(first).toMatchObject({ scopes: ['shows:write', 'money:read'], name: 'Website' });
  expect(listed.headers.get('cache-control')).toBe('no-store');
  expect(keyIn(listed.html)).toBeUndefined();
  expect(listed.html).toContain(`…${keyIn(created.html)!.slice(-4)}`);
  expect(listed.html).toContain('href="/developers"');
  expect(listed.html).toMatch(
    /<details[^>]*><summary[^>]*>Revoke<\/summary>.*What uses “Website” loses.*value="revoke"/,
  );
  for (const text of ['Website', `…${first!.lastFour}`, 'shows:write, money:read', 'Never used'])
    expect(listed.html).toContain(text);
  expect(keyIn(rotated.html)).not.toBe(keyIn(created.html));
  expect(revoked.location).toBe('/profile/developers?done=key_revoked');
  for (const text of ['Active', 'Revoked']) expect(both.html).toContain(text);
});

test('among several keys, none is replaced unless it is chosen', async () => {
  const owner = await make.creator();
  for (const name of ['First', 'Second']) await send(owner.token, { ...NEW, name });
  const { html } = await open('/profile/developers', owner);

  const { status } = await send(owner.token, { intent: 'rotate', id: '', overlap: 'none', currentPassword: PASSWORD });

  expect(html).toMatch(/<select[^>]*name="id"[^>]*><option value="" selected="">Choose a key</);
  expect(status).toBe(400);
  const keys = await runtime.db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.creatorId, owner.creatorId))
    .orderBy(apiKeys.id);
  const inAYear = new Date('2027-03-02T09:00:00Z');
  expect(keys.map(({ name, expiresAt, revokedAt }) => [name, expiresAt, revokedAt])).toEqual([
    ['First', inAYear, null],
    ['Second', inAYear, null],
  ]);
});

test('a key without the password is refused beside its field', async () => {
  const { token } = await make.creator();

  const { status, html } = await send(token, { ...NEW, currentPassword: 'wrong' });

  expect(status).toBe(400);
  expect(html).toMatch(/id="create-proof"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*id="create-proof"/);
  expect(keyIn(html)).toBeUndefined();
});

test('a key without a name or a permission is refused beside its fields, in both languages', async () => {
  const { token } = await make.creator();

  const { status, html } = await send(token, { intent: 'create', name: '', life: 'year', 'scope-shows': 'none' });
  const spanish = await open('/es/profile/developers', { token });

  expect(status).toBe(400);
  for (const text of ['Give the key a name', 'Choose what the key may do']) expect(html).toContain(text);
  for (const text of ['Clave nueva', 'Todavía no tienes claves.']) expect(spanish.html).toContain(text);
});

test('the requests of the last week are listed by page', async () => {
  const owner = await make.creator();
  await send(owner.token, NEW);
  const [key] = await runtime.db.select().from(apiKeys).where(eq(apiKeys.creatorId, owner.creatorId)).limit(1);
  const call = { creatorId: owner.creatorId, method: 'GET', path: '/v1/shows/{id}', ms: 12, at: runtime.now() };
  const calls = Array.from({ length: 60 }, (_, i) => ({ ...call, caller: `key:${key!.id}`, status: 200 + i }));
  await runtime.db
    .insert(apiCalls)
    .values([...calls, { ...call, caller: 'app:7', status: 404, requestId: 'the-id-of-it' }]);

  const [first, second] = [
    await open('/profile/developers/requests', owner),
    await open('/profile/developers/requests?page=2', owner),
  ];

  for (const text of ['GET /v1/shows/{id}', 'Website', 'App 7', '12 ms', '404', '259', 'Request the-id-of-it'])
    expect(first.html).toContain(text);
  expect(second.html).toContain('>200<');
  expect(first.html).toMatch(/\d\d:\d\d:\d\d/);
  expect(first.html).toContain('Times are in');

  const [failures, none] = [
    await open('/profile/developers/requests?show=failures', owner),
    await open('/profile/developers/requests?show=failures', await make.creator()),
  ];
  expect([failures.html.includes('>404<'), failures.html.includes('>259<')]).toEqual([true, false]);
  expect(none.html).toContain('No request has failed');
});

test('the list of requests reads no more than it can show, however many there are', async () => {
  const owner = await make.creator();
  const { creatorId } = owner;
  await runtime.db.execute(sql`
    insert into ${apiCalls} (creator_id, caller, method, path, status, ms, at)
    select ${creatorId}, 'key:1', 'GET', '/v1/shows', 200, 5, ${runtime.now().toISOString()}::timestamptz
    from generate_series(1, ${DEVELOPER_LIMITS.callsKept * 3}::int)`);
  await runtime.db.execute(sql`analyze ${apiCalls}`);
  const ctx = ctxOf(owner);

  const { items, total } = await listCalls(ctx, { page: 1 });
  const read = await rowsRead(ctx, (tx) => listCalls(tx, { page: 1 }), ['api_calls']);

  expect([items.length, total]).toEqual([DEVELOPER_LIMITS.callsListed, DEVELOPER_LIMITS.callsKept]);
  expect(read).toBeLessThan(DEVELOPER_LIMITS.callsKept + 2 * DEVELOPER_LIMITS.callsListed);
});

test('only owners have the pages', async () => {
  const [owner, member, person] = [await make.creator(), await make.person(), await make.person()];
  await runtime.db.insert(members).values({ creatorId: owner.creatorId, userId: member.id, role: 'editor' });
  const { token } = await runtime.sessions.start(member.id, { channel: 'web', userAgent: '', country: null });

  for (const path of ['/profile/developers', '/profile/developers/requests']) {
    expect((await open(path, { token })).status).toBe(403);
    expect((await open(path)).location).toMatch(/^\/login/);
    expect((await open(path, person)).location).toMatch(/^\/start\/page/);
  }
});
