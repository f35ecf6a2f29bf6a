import { expect, test } from 'vitest';
import { createToken, KEY_PREFIX } from '~/server/auth/api-tokens';
import { apiContext, readBearer } from '~/server/doors/v1/api-access';
import { RATE_LIMITS } from '~/server/limits/http';
import { cast } from '../support/cast';
import { keyMaker, v1Client } from '../support/v1-client';

const opened = await cast();
const { runtime, make } = opened;
const api = v1Client(opened);
const keyOf = keyMaker(opened);

test('more keys of a creator do not raise its limits', async () => {
  const [owner, other] = [await make.creator(), await make.creator()];
  const consume = async (key: string) => {
    const headers = new Headers({ authorization: `Bearer ${key}` });
    const request = { ...REQUEST, headers };
    const ctx = apiContext(runtime, request, await readBearer(runtime, request));
    return ctx.limit('checkLinks');
  };
  const [first, second, foreign] = [await keyOf(owner), await keyOf(owner), await keyOf(other)];
  for (let i = 0; i < RATE_LIMITS.checkLinks.points; i += 1) expect(await consume(first)).toBeNull();

  expect(await consume(second)).toEqual({ retryAfterSeconds: expect.any(Number) });
  expect(await consume(foreign)).toBeNull();
});

const REQUEST = { requestId: 'test', host: 'altavoz.localhost', address: '203.0.113.9', language: 'en' as const };

test('a network that sends tokens that are none is slowed down, and those who have one are not', async () => {
  const key = await keyOf(await make.creator());
  const guess = (address: string) =>
    api.get('/shows', { key: createToken(KEY_PREFIX), headers: { 'x-forwarded-for': address } });
  const { points } = RATE_LIMITS.refusedToken;

  const statuses = new Set<number>();
  for (let i = 0; i < points; i += 1) statuses.add((await guess('198.51.100.4')).status);
  const slowed = await guess('198.51.100.4');
  const elsewhere = await guess('198.51.100.5');
  const known = await api.get('/shows', { key, headers: { 'x-forwarded-for': '198.51.100.4' } });

  expect([...statuses]).toEqual([401]);
  expect([slowed.status, elsewhere.status, known.status]).toEqual([429, 401, 200]);
  expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0);
});
