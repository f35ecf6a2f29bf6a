import { expect, test } from 'vitest';
import { createRateLimits, networkOf, SITE } from '~/server/flow/rate-limits';
import { RATE_LIMITS } from '~/server/limits/http';
import { createLog } from '~/server/watching/log';
import { testDatabase } from '../support/db';

const { client } = await testDatabase();
const options = { secret: 'secret', log: createLog('silent') };
const { points, duration } = RATE_LIMITS.signUp;

test('a limited client receives a retry time, and other clients are not limited', async () => {
  const limits = await createRateLimits(client, options);

  for (let i = 0; i < points; i += 1) expect(await limits.consume('signUp', '192.0.2.1')).toBeNull();
  const limited = await limits.consume('signUp', '192.0.2.1');

  expect(limited?.retryAfterSeconds).toBeGreaterThan(duration / 1000 - 20);
  expect(await limits.consume('signUp', '192.0.2.2')).toBeNull();
  expect(await limits.consume('publicWrite', '192.0.2.1')).toBeNull();
});

test('two web processes share their counts', async () => {
  const [one, two] = [await createRateLimits(client, options), await createRateLimits(client, options)];

  const results = [];
  for (let i = 0; i <= points; i += 1) results.push(await (i % 2 ? one : two).consume('signUp', '192.0.2.3'));

  expect(results.filter((result) => result !== null)).toHaveLength(1);
});

test('addresses are not stored', async () => {
  const limits = await createRateLimits(client, options);
  await limits.consume('signUp', '192.0.2.9');

  const rows = await client`select key from rate_limits order by 1`;

  expect(JSON.stringify(rows)).not.toContain('192.0.2');
});

test('without the database, each process counts alone', async () => {
  const limits = await createRateLimits(client, options);
  await client`alter table rate_limits rename to away`;

  const results = [];
  for (let i = 0; i <= points; i += 1) results.push(await limits.consume('signUp', '192.0.2.4'));
  await client`alter table away rename to rate_limits`;

  expect(results.filter((result) => result !== null)).toHaveLength(1);
});

test('counted calls can be taken back and forgotten', async () => {
  const limits = await createRateLimits(client, options);

  const counts = [await limits.add('logInPair', 'a'), await limits.add('logInPair', 'a')];
  await limits.refund('logInPair', 'a');
  const afterRefund = await limits.add('logInPair', 'a');
  await limits.forget('logInPair', 'a');

  expect([...counts, afterRefund, await limits.add('logInPair', 'a')]).toEqual([1, 2, 2, 1]);
});

test.each([
  ['192.0.2.1', '192.0.2.1/32', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::5', '2001:db8::/64', '2001:db8::/48'],
  ['::1', '::/64', '::/48'],
  ['::ffff:192.0.2.1', '192.0.2.1/32', '192.0.2.0/24'],
  ['', '', ''],
])('the networks of %s are %s and %s', (address, client, site) => {
  expect([networkOf(address), networkOf(address, SITE)]).toEqual([client, site]);
});
