import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { apiCalls, apiKeys, idempotentCalls } from '~/db/schema/developers';
import { members } from '~/db/schema/team';
import { createKey } from '~/server/domain/developers/create-key';
import { eraseKeys } from '~/server/domain/developers/erase-keys';
import { listCalls } from '~/server/domain/developers/list-calls';
import { sweepCalls } from '~/server/domain/developers/record-calls';
import { DEVELOPER_LIMITS } from '~/server/limits/developers';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { PASSWORD } from '../../support/make';

const { runtime, make, ctxOf } = await cast();
const { db } = runtime;
const ctx = systemCtx(runtime, 'test');
const NEW = { name: 'Sheet', scopes: ['shows:read' as const], life: 'forever' as const, currentPassword: PASSWORD };

test('with an account, its keys end everywhere, and so does what was kept of their calls', async () => {
  const [owner, other] = [await make.creator(), await make.creator()];
  const { key, id } = await createKey(ctxOf(owner), NEW);
  const kept = await createKey(ctxOf(other), NEW);
  await db.insert(members).values({ creatorId: other.creatorId, userId: owner.id, role: 'editor' });
  const elsewhere = await createKey(ctxOf(other), NEW);
  await db.update(apiKeys).set({ userId: owner.id }).where(eq(apiKeys.id, elsewhere.id));
  const { creatorId } = owner;
  const caller = `key:${id}`;
  const at = runtime.now();
  await db.insert(apiCalls).values({ creatorId, caller, method: 'GET', path: '/v1/shows', status: 200, ms: 1, at });
  await db.insert(idempotentCalls).values({ creatorId, caller, keyHash: 'a', requestHash: 'b', createdAt: at });

  await eraseKeys(ctx, { userId: owner.id });
  await eraseKeys(ctx, { userId: owner.id });

  expect(await runtime.sessions.readKey(key)).toBeNull();
  expect(await runtime.sessions.readKey(elsewhere.key)).toBeNull();
  expect(await runtime.sessions.readKey(kept.key)).toMatchObject({ id: kept.id });
  expect(await db.$count(apiCalls, eq(apiCalls.creatorId, creatorId))).toBe(0);
  expect(await db.$count(idempotentCalls, eq(idempotentCalls.creatorId, creatorId))).toBe(0);
});

test('of a busy creator, the latest calls are kept, and others lose none', async () => {
  const [busy, quiet] = [await make.creator(), await make.creator()];
  const { callsKept } = DEVELOPER_LIMITS;
  const insert = (creatorId: number, count: number) =>
    db.execute(sql`insert into api_calls (creator_id, caller, method, path, status, ms, at)
      select ${creatorId}, 'key:1', 'GET', '/v1/shows', 200, n, ${runtime.now().toISOString()}::timestamptz
      from generate_series(1, ${count}::int) n`);
  await insert(busy.creatorId, callsKept + 5);
  await insert(quiet.creatorId, 3);

  await sweepCalls(ctx);

  const [first] = (await listCalls(ctxOf(busy), { page: 1 })).items;
  expect(await db.$count(apiCalls, eq(apiCalls.creatorId, busy.creatorId))).toBe(callsKept);
  expect(first!.ms).toBe(callsKept + 5);
  expect(await db.$count(apiCalls, eq(apiCalls.creatorId, quiet.creatorId))).toBe(3);
});
