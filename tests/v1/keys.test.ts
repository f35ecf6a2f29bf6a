import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { apiKeys } from '~/db/schema/developers';
import { outbox } from '~/db/schema/notifications';
import { members } from '~/db/schema/team';
import { createToken, KEY_PREFIX } from '~/server/auth/api-tokens';
import { createSessions, SESSIONS_TAG } from '~/server/auth/sessions';
import { hashToken } from '~/server/auth/token-hash';
import { createKey } from '~/server/domain/developers/create-key';
import { revokeKey, rotateKey } from '~/server/domain/developers/end-key';
import { listKeys } from '~/server/domain/developers/list-keys';
import { listenForChanges } from '~/server/http/caches/changes';
import { DEVELOPER_LIMITS } from '~/server/limits/developers';
import { cast } from '../support/cast';
import { type Creator, PASSWORD } from '../support/make';
import { v1Client } from '../support/v1-client';
import '../support/matchers';

const opened = await cast();
const { runtime, clock, make, ctxOf } = opened;
const { db } = runtime;
const api = v1Client(opened);

const READ = { name: 'Sheet', scopes: ['shows:read' as const], life: 'forever' as const, currentPassword: PASSWORD };
const statusWith = async (key: string | null) => (await api.get('/shows', { key })).status;
async function withKey(over: Partial<typeof READ | { life: 'month' }> = {}) {
  const owner = await make.creator();
  return { owner, ...(await createKey(ctxOf(owner), { ...READ, ...over })) };
}

test('a key works at once, is stored as a hash, and is listed by its last characters', async () => {
  const { owner, id, key } = await withKey();
  await make.product(owner, { name: 'Olas' });

  const { status, body } = await api.get('/shows', { key });
  const [row] = await db.select().from(apiKeys).where(eq(apiKeys.id, id));

  expect(status).toBe(200);
  expect(body).toMatchObject({ total: 1, data: [{ name: 'Olas' }], next_cursor: null });
  expect(row!.tokenHash).toBe(hashToken(key));
  expect(JSON.stringify(row)).not.toContain(key.slice(0, 20));
  expect(await listKeys(ctxOf(owner))).toMatchObject([{ id, name: 'Sheet', lastFour: key.slice(-4), state: 'active' }]);
});

test.each([
  ['no header', {}, 'Bearer realm="altavoz"'],
  ['a session token', { authorization: `Bearer ${'a'.repeat(40)}` }, 'Bearer realm="altavoz", error="invalid_token"'],
  ['the legacy scheme', { authorization: 'Token abc' }, 'Bearer realm="altavoz", error="invalid_token"'],
  [
    'a mistyped key',
    { authorization: `Bearer ${KEY_PREFIX}${'a'.repeat(49)}` },
    'Bearer realm="altavoz", error="invalid_token"',
  ],
  [
    'an unknown key',
    { authorization: `Bearer ${createToken(KEY_PREFIX)}` },
    'Bearer realm="altavoz", error="invalid_token"',
  ],
] as const)('%s is 401 with a challenge', async (_, headers, challenge) => {
  const reply = await api.get('/shows', { headers });

  expect(reply.status).toBe(401);
  expect(reply.headers.get('www-authenticate')).toBe(challenge);
  expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(reply.body).toMatchObject({ status: 401, title: 'Not authenticated', request_id: expect.any(String) });
});

test('no cookie counts', async () => {
  const owner = await make.creator();

  expect((await api.get('/shows', { headers: { cookie: `token=${owner.token}` } })).status).toBe(401);
});

test.each(['key', 'access_token', 'api_key', 'token'])(
  'a key in the address as %s is refused, valid or not',
  async (name) => {
    const { key } = await withKey();

    const reply = await api.get(`/shows?${name}=${key}`, { key });

    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 'api.key_in_address' });
    expect(reply.text).not.toContain(key);
  },
);

test('a key without the scope of a call is 403, and is told which one it lacks', async () => {
  const { key } = await withKey();

  const reply = await api.patch('/shows/1', { key, json: { name: 'Other' } });

  expect(reply.status).toBe(403);
  expect(reply.body.code).toBe('api.scope_missing');
  expect(reply.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="shows:write"');
});

test('a revoked key is 401 with the next request', async () => {
  const { owner, id, key } = await withKey();
  expect(await statusWith(key)).toBe(200);

  await revokeKey(ctxOf(owner), { id });
  await revokeKey(ctxOf(owner), { id });

  expect(await statusWith(key)).toBe(401);
  expect(await listKeys(ctxOf(owner))).toMatchObject([{ state: 'revoked' }]);
});

test('a key is forgotten by other processes when it is revoked', async () => {
  const { owner, id, key } = await withKey();
  const other = createSessions(db);
  const changes = listenForChanges(opened.url, {
    onChange: (tag) => tag === SESSIONS_TAG && other.forget(),
    onGap: () => {},
    log: runtime.log,
  });
  onTestFinished(() => changes.close());
  await changes.ready;
  const before = await other.readKey(key);

  await revokeKey(ctxOf(owner), { id });

  expect(before).toMatchObject({ id, role: 'owner' });
  await expect.poll(() => other.readKey(key)).toBeNull();
});

test('a key ends at its expiry, also while it is in memory', async () => {
  const { key } = await withKey({ life: 'month' } as never);
  const begun = clock.now;
  expect(await statusWith(key)).toBe(200);

  clock.now = new Date('2026-04-01T09:00:00Z');
  const status = await statusWith(key);
  clock.now = begun;

  expect(status).toBe(401);
});

test('a replaced key works until the end of its overlap, and can be replaced only once', async () => {
  const { owner, id, key } = await withKey();
  const begun = clock.now;

  const { key: next } = await rotateKey(ctxOf(owner), { id, overlap: 'hour', currentPassword: PASSWORD });
  await expect(rotateKey(ctxOf(owner), { id, overlap: 'hour', currentPassword: PASSWORD })).toFailWith('key.ended');

  expect([await statusWith(key), await statusWith(next)]).toEqual([200, 200]);
  expect(await listKeys(ctxOf(owner))).toMatchObject([{ state: 'active' }, { state: 'replaced' }]);
  clock.now = new Date('2026-03-02T10:00:00Z');
  const later = [await statusWith(key), await statusWith(next)];
  clock.now = begun;
  expect(later).toEqual([401, 200]);
});

test('without an overlap, the replaced key stops at once', async () => {
  const { owner, id, key } = await withKey();
  expect(await statusWith(key)).toBe(200);

  await rotateKey(ctxOf(owner), { id, overlap: 'none', currentPassword: PASSWORD });

  expect(await statusWith(key)).toBe(401);
});

test('a creator has at most 20 keys, also if 50 are created at the same time', async () => {
  const owner = await make.creator();

  const results = await Promise.allSettled(Array.from({ length: 50 }, () => createKey(ctxOf(owner), READ)));

  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(DEVELOPER_LIMITS.keys);
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
  expect(new Set(refused)).toEqual(new Set(['key.limit_reached']));
  const [first] = await listKeys(ctxOf(owner));
  await revokeKey(ctxOf(owner), { id: first!.id });
  await expect(createKey(ctxOf(owner), READ)).resolves.toMatchObject({ key: expect.any(String) });
});

test.each(['editor', 'analyst', 'finance'] as const)('the role %s creates, reads and ends no keys', async (role) => {
  const { owner, id } = await withKey();
  const { id: userId } = await make.person();
  const ctx = ctxOf({ id: userId, creatorId: owner.creatorId, role });

  for (const call of [
    createKey(ctx, READ),
    listKeys(ctx),
    revokeKey(ctx, { id }),
    rotateKey(ctx, { id, overlap: 'none', currentPassword: PASSWORD }),
  ])
    await expect(call).toFailWith('common.role_not_allowed');
});

test.each(['', 'wrong'])(
  'a session alone (%j as the password) makes no key that outlives it',
  async (currentPassword) => {
    const { owner, id } = await withKey();

    await expect(createKey(ctxOf(owner), { ...READ, currentPassword })).toFailWith('account.wrong_password');
    await expect(rotateKey(ctxOf(owner), { id, overlap: 'week', currentPassword })).toFailWith(
      'account.wrong_password',
    );

    expect(await listKeys(ctxOf(owner))).toMatchObject([{ id, state: 'active' }]);
  },
);

test('the owner gets an email about every new key, which leads to the keys and names none', async () => {
  const { owner, id, key } = await withKey();
  await rotateKey(ctxOf(owner), { id, overlap: 'none', currentPassword: PASSWORD });

  const sent = await db.select().from(outbox).where(eq(outbox.userId, owner.id)).orderBy(outbox.createdAt);

  const told = sent.filter(({ topic }) => topic === 'key_created');
  expect(told).toHaveLength(2);
  expect(JSON.stringify(told)).toContain('/profile/developers');
  expect(JSON.stringify(told)).not.toContain(key);
});

test('another creator cannot end a key', async () => {
  const { id, key } = await withKey();
  const other = ctxOf(await make.creator());

  await expect(revokeKey(other, { id })).toFailWith('key.not_found');
  await expect(rotateKey(other, { id, overlap: 'none', currentPassword: PASSWORD })).toFailWith('key.not_found');
  expect(await statusWith(key)).toBe(200);
});

/** Makes the key's creator somebody who no longer owns the page. */
async function handOver({ owner, id }: { owner: Creator; id: number }) {
  const { id: userId } = await make.person();
  await db.update(apiKeys).set({ userId }).where(eq(apiKeys.id, id));
  await runtime.sessions.refresh();
  return { userId, creatorId: owner.creatorId };
}

test('a key has the role that its creator has now, and is dead without one', async () => {
  const made = await withKey({ scopes: ['shows:write'] } as never);
  const show = await make.product(made.owner);
  const change = () => api.patch(`/shows/${show.id}`, { key: made.key, json: { name: 'Olas' } });
  expect((await change()).status).toBe(200);
  const former = await handOver(made);
  expect((await change()).status).toBe(401);

  await db.insert(members).values({ ...former, role: 'analyst' });

  expect(await statusWith(made.key)).toBe(200);
  expect(await change()).toMatchObject({ status: 403, body: { code: 'common.role_not_allowed' } });
});

test('a key of a suspended account or a closed page is dead', async () => {
  const [one, other] = [await withKey(), await withKey()];

  await db.update(users).set({ suspendedAt: runtime.now() }).where(eq(users.id, one.owner.id));
  await db.update(creators).set({ closedAt: runtime.now() }).where(eq(creators.id, other.owner.creatorId));

  expect([await statusWith(one.key), await statusWith(other.key)]).toEqual([401, 401]);
});

test('the last use is noted outside of the request, at most once a minute, without the whole address', async () => {
  const { id, key } = await withKey();
  const begun = clock.now;
  const lastUse = async () => {
    await runtime.recorders.drained();
    const [row] = await db.select().from(apiKeys).where(eq(apiKeys.id, id));
    return row!;
  };

  await statusWith(key);
  expect(await lastUse()).toMatchObject({ lastUsedAt: begun, lastUsedNetwork: '203.0.113.0/24' });
  clock.now = new Date('2026-03-02T09:00:59Z');
  await statusWith(key);
  expect(await lastUse()).toMatchObject({ lastUsedAt: begun });
  clock.now = new Date('2026-03-02T09:01:01Z');
  await statusWith(key);
  expect((await lastUse()).lastUsedAt).toEqual(clock.now);
  clock.now = begun;
});
