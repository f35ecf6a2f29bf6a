import { expect, test } from 'vitest';
import { createRateLimits, networkOf } from '~/server/http/rate-limits';
import { RATE_LIMITS } from '~/server/limits/http';
import { createLog } from '~/server/log';
import { testDatabase } from '../support/db';

const { client } = await testDatabase();
const options = { secret: 'secret', log: createLog('silent') };
const { points, duration } = RATE_LIMITS.logIn;

test('a limited client receives a retry time, and other clients are not limited', async () => {
  const limits = await createRateLimits(client, options);

  for (let i = 0; i < points; i += 1) expect(await limits.consume('logIn', '192.0.2.1')).toBeNull();
  const limited = await limits.consume('logIn', '192.0.2.1');

  expect(limited?.retryAfterSeconds).toBeGreaterThan(duration / 1000 - 20);
  expect(await limits.consume('logIn', '192.0.2.2')).toBeNull();
  expect(await limits.consume('publicWrite', '192.0.2.1')).toBeNull();
});

test('two web processes share their counts', async () => {
  const [one, two] = [await createRateLimits(client, options), await createRateLimits(client, options)];

  const results = [];
  for (let i = 0; i <= points; i += 1) results.push(await (i % 2 ? one : two).consume('logIn', '192.0.2.3'));

  expect(results.filter((result) => result !== null)).toHaveLength(1);
});

test('addresses are not stored', async () => {
  const limits = await createRateLimits(client, options);
  await limits.consume('signUp', '192.0.2.9');

  const rows = await client`select key from rate_limits`;

  expect(JSON.stringify(rows)).not.toContain('192.0.2');
});

test('without the database, each process counts alone', async () => {
  const limits = await createRateLimits(client, options);
  await client`alter table rate_limits rename to away`;

  const results = [];
  for (let i = 0; i <= points; i += 1) results.push(await limits.consume('logIn', '192.0.2.4'));
  await client`alter table away rename to rate_limits`;

  expect(results.filter((result) => result !== null)).toHaveLength(1);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::5', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
