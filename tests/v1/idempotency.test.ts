import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { apiCalls, idempotentCalls } from '~/db/schema/developers';
import { products } from '~/db/schema/products';
import { unavailable } from '~/server/base/errors';
import { answerOnce, sweepAnswers } from '~/server/domain/developers/idempotent-calls';
import { sweepCalls } from '~/server/domain/developers/record-calls';
import { isRefusal } from '~/server/doors/v1/answer-v1';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import { keyMaker, v1Client } from '../support/v1-client';

const opened = await cast();
const { runtime, clock, make } = opened;
const { db } = runtime;
const api = v1Client(opened);
const keyOf = keyMaker(opened);
const SHOW = { kind: 'podcast', name: 'Olas', description: 'The sea.', category: 1501, language: 'en' };

async function stage() {
  const owner = await make.creator();
  const [key, cover_key] = [await keyOf(owner), await make.upload(owner, 'cover')];
  const json = { ...SHOW, cover_key };
  const post = (idempotency: string, over: object = {}) =>
    api.post('/shows', { key, json: { ...json, ...over }, headers: { 'idempotency-key': idempotency } });
  const count = () => db.$count(products, eq(products.creatorId, owner.creatorId));
  return { owner, key, json, post, count };
}

test('a repeated change has the first answer, and is made once', async () => {
  const { post, count } = await stage();

  const first = await post('one');
  const again = await post('one');

  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body).toEqual(first.body);
  expect(await count()).toBe(1);
});

test('fifty at the same time make one show', async () => {
  const { post, count } = await stage();

  const replies = await Promise.all(Array.from({ length: 50 }, () => post('race')));

  expect(replies.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
  expect(new Set(replies.map(({ status, body }) => (status === 201 ? 201 : body.code)))).toEqual(
    new Set(replies.some(({ status }) => status === 409) ? [201, 'api.idempotency_running'] : [201]),
  );
  expect(await count()).toBe(1);
});

test('another body with the same key is 422', async () => {
  const { post, count } = await stage();
  await post('one');

  const other = await post('one', { name: 'Another' });

  expect([other.status, other.body.code]).toEqual([422, 'api.idempotency_mismatch']);
  expect(await count()).toBe(1);
});

test('while the first one runs, the second one is 409', async () => {
  const { post } = await stage();
  const pause = opened.pauseAt('api-call.begun');
  const first = post('slow');
  await pause.reachedBy(first);

  const second = await post('slow');
  pause.goOn();

  expect([second.status, second.body.code]).toEqual([409, 'api.idempotency_running']);
  expect(second.headers.get('retry-after')).toBe('5');
  expect((await first).status).toBe(201);
});

test('a refused change may be sent again', async () => {
  const { post } = await stage();

  const refused = await post('again', { name: '' });
  const accepted = await post('again');

  expect([refused.status, accepted.status]).toEqual([400, 201]);
});

test.each([
  ['a connection lost during the commit', () => Object.assign(new Error('lost'), { code: 'CONNECTION_CLOSED' })],
  ['a database that ends its work', () => Object.assign(new Error('shutdown'), { code: '57P01' })],
  ['a full disk', () => Object.assign(new Error('full'), { code: 'ENOSPC' })],
  ['an answer that says so', () => unavailable({ seconds: 5 })],
  ['a bug after the commit', () => new Error('bug')],
])('a change may have been made before %s, so it is not made again', async (name, failure) => {
  const { creatorId } = await opened.make.creator();
  const call = { creatorId, caller: 'key:1', key: name, request: 'POST /v1/shows' };
  let made = 0;
  const make = async () => {
    made += 1;
    throw failure();
  };
  const lost = { make, isRefusal };

  await expect(answerOnce(systemCtx(runtime, 'test'), call, lost)).rejects.toThrow();
  await expect(answerOnce(systemCtx(runtime, 'test'), call, lost)).rejects.toThrow('api.idempotency_running');

  expect(made).toBe(1);
});

test('keys belong to their caller', async () => {
  const [one, other] = [await stage(), await stage()];

  expect([(await one.post('same')).status, (await other.post('same')).status]).toEqual([201, 201]);
});

test.each(['', 'x'.repeat(256), 'with space', 'ñ'])('the key %j is refused', async (text) => {
  const { key, json } = await stage();
  const headers = { 'idempotency-key': text };

  expect((await api.post('/shows', { key, json, headers })).body.code).toBe('api.idempotency_key_invalid');
});

test('answers are encrypted, and kept for a day', async () => {
  const { post } = await stage();
  await post('kept');
  const begun = clock.now;
  const [row] = await db.select().from(idempotentCalls).limit(1);

  clock.now = new Date('2026-03-03T09:00:01Z');
  await sweepAnswers(systemCtx(runtime, 'test'));
  clock.now = begun;

  expect(row!.body).not.toContain('Olas');
  expect(await db.$count(idempotentCalls)).toBe(0);
});

test('calls are logged with their template, after they were answered, for a week', async () => {
  const { owner, key } = await stage();
  const mine = eq(apiCalls.creatorId, owner.creatorId);
  await api.get('/shows/77?fields=name', { key });
  await api.get('/shows/secret', { key });
  await runtime.recorders.drained();

  const logged = await db.select().from(apiCalls).where(mine).orderBy(apiCalls.id);
  const begun = clock.now;
  clock.now = new Date('2026-03-09T09:00:01Z');
  await sweepCalls(systemCtx(runtime, 'test'));
  clock.now = begun;

  expect(logged).toMatchObject([{ method: 'GET', path: '/v1/shows/{id}', status: 404 }]);
  expect(JSON.stringify(logged)).not.toContain(key);
  expect(await db.$count(apiCalls, mine)).toBe(0);
});
