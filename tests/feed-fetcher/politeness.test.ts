import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { politeness } from '~/server/adapters/feed-fetcher/politeness';

const { signal } = new AbortController();

test('who waits takes over the slot, and nobody else beside them', async () => {
  const polite = politeness({ perHost: 1, hostGapMs: 0 });
  const first = await polite.turn('a.example', 'feed', signal);
  let running = 1;
  let most = 1;
  const visit = async () => {
    const done = await polite.turn('a.example', 'feed', signal);
    running += 1;
    most = Math.max(most, running);
    await wait(5);
    running -= 1;
    done();
  };

  const waiting = visit();
  running -= 1;
  first();
  await Promise.all([waiting, visit(), visit()]);

  expect(most).toBe(1);
  expect(polite.hosts()).toBe(0);
});

test('hosts are forgotten once their pause and their wish to be left alone are over', async () => {
  const polite = politeness({ perHost: 1, hostGapMs: 30 });
  (await polite.turn('a.example', 'feed', signal))();
  polite.avoid('b.example', 30);
  const before = polite.hosts();
  await wait(50);

  const done = await polite.turn('c.example', 'feed', signal);

  expect([before, polite.hosts()]).toEqual([2, 1]);
  done();
});
