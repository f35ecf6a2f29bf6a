import { expect, test } from 'vitest';
import { createDb } from '~/db/client';
import { HOURS } from '~/server/base/time';
import type { Urgency } from '~/server/base/turns';
import { createTurns } from '~/server/flow/paced-turns';
import { createRateLimits } from '~/server/flow/rate-limits';
import { sharedPace, stepsFor } from '~/server/flow/shared-pace';
import { createLog } from '~/server/watching/log';
import { testDatabase } from '../support/db';

const { client, url } = await testDatabase();
await createRateLimits(client, { secret: 'for tests', log: createLog('silent') });
const other = createDb(url, { patient: true });

test.each([5, 24, 25, 100])('at most %i places fit into a second, and pages always have some ahead', (perSecond) => {
  const { stepMs, ahead } = stepsFor(perSecond);

  // those ahead at its beginning, and one at the end of each step
  expect(ahead + 1 + Math.floor(1000 / stepMs)).toBeLessThanOrEqual(perSecond);
  expect(ahead).toBeGreaterThan(0);
});

test('background calls of all processes share each step, and calls with a waiting user pass them', async () => {
  const steps = { name: 'shared', stepMs: HOURS(1), ahead: 2 };
  const [web, worker] = [sharedPace(client, steps), sharedPace(other.client, steps)];

  const places = [];
  for (const [pace, urgency] of [
    [worker, 'background'],
    [worker, 'background'],
    [web, 'background'],
    [web, 'waited_for'],
    [worker, 'background'],
    [worker, 'waited_for'],
    [web, 'waited_for'],
  ] as const)
    places.push(await pace.take(urgency));
  // two steps later
  await client`update rate_limits set expire = expire - ${HOURS(2)}::bigint where key = 'shared'`;
  const later = [await worker.take('background'), await web.take('waited_for')];
  await other.close();

  expect(places).toEqual([true, false, false, true, false, true, false]);
  expect(later).toEqual([false, true]);
});

test('after the database’s clock was put back, places come as before', async () => {
  const pace = sharedPace(client, { name: 'put back', stepMs: HOURS(1), ahead: 2 });
  await pace.take('background');
  await client`update rate_limits set expire = expire + ${HOURS(24)}::bigint where key = 'put back'`;

  const places = [await pace.take('background'), await pace.take('background'), await pace.take('waited_for')];
  await client`update rate_limits set expire = expire - ${HOURS(1)}::bigint where key = 'put back'`;

  expect(places).toEqual([true, false, false]);
  expect(await pace.take('waited_for')).toBe(true);
});

/** A pace whose places come when the test says so. */
function manualPace() {
  const asked: { urgency: Urgency; answer(hasPlace: boolean): void }[] = [];
  const take = (urgency: Urgency) =>
    new Promise<boolean>((answer) => {
      asked.push({ urgency, answer });
    });
  return { asked, pace: { stepMs: 0, take } };
}

test('calls with a waiting user go first, each kind in its order', async () => {
  const { asked, pace } = manualPace();
  const turns = createTurns(pace, { waiting: 10 });
  const order: string[] = [];
  const call = async (name: string, urgency: Urgency) => {
    if (await turns.take(urgency, HOURS(1))) order.push(name);
  };

  const calls = [call('import 1', 'background'), call('import 2', 'background'), call('checkout 1', 'waited_for')];
  calls.push(call('checkout 2', 'waited_for'));
  for (let place = 0; place < 5; place += 1) {
    await expect.poll(() => asked.length).toBe(place + 1);
    // the first one found no place, and the checkouts have come meanwhile
    asked[place]?.answer(place > 0);
  }
  await Promise.all(calls);

  expect(order).toEqual(['checkout 1', 'checkout 2', 'import 1', 'import 2']);
  expect(asked.map(({ urgency }) => urgency)).toEqual([
    'background',
    'waited_for',
    'waited_for',
    'background',
    'background',
  ]);
});

test('a call gives up when its time is over, and at once if too many wait', async () => {
  const turns = createTurns({ stepMs: 1, take: async () => false }, { waiting: 2 });

  const patient = turns.take('background', 50);
  const first = turns.take('waited_for', 1);
  const second = turns.take('waited_for', 1);
  const third = await turns.take('waited_for', HOURS(1));

  expect(third).toBe(false);
  expect(await Promise.all([patient, first, second])).toEqual([false, false, false]);
});

test('without the database, calls are sent: the provider has a limit of its own', async () => {
  const turns = createTurns({ stepMs: 1, take: () => Promise.reject(new Error('away')) }, { waiting: 2 });

  expect(await turns.take('waited_for', HOURS(1))).toBe(true);
});
