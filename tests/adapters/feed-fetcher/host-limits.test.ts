import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { hostLimits } from '~/server/adapters/feed-fetcher/host-limits';

const { signal } = new AbortController();

test('who waits takes over the slot, and nobody else beside them', async () => {
  const polite = hostLimits({ perHost: 1, hostGapMs: 0 });
  const first = await polite.acquire('a.example', 'feed', signal);
  let running = 1;
  let most = 1;
  const visit = async () => {
    const done = await polite.acquire('a.example', 'feed', signal);
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
  const polite = hostLimits({ perHost: 1, hostGapMs: 30 });
  (await polite.acquire('a.example', 'feed', signal))();
  polite.pauseHost('b.example', 30);
  const before = polite.hosts();
  await wait(50);

  const done = await polite.acquire('c.example', 'feed', signal);

  expect([before, polite.hosts()]).toEqual([2, 1]);
  done();
});

test('feeds have a lane of their own, so that they do not wait behind files', async () => {
  const polite = hostLimits({ perHost: 1, hostGapMs: 0 });
  const file = await polite.acquire('a.example', 'file', signal);

  const feed = await polite.acquire('a.example', 'feed', signal);

  let second = false;
  const waiting = polite.acquire('a.example', 'file', signal).then((done) => {
    second = true;
    return done;
  });
  feed();
  await wait(5);
  expect(second).toBe(false);
  file();
  (await waiting)();
});

test('who waits while the host asks to be left alone is told so, and gives the slot on', async () => {
  const polite = hostLimits({ perHost: 1, hostGapMs: 0 });
  const first = await polite.acquire('a.example', 'feed', signal);
  const two = [1, 2].map(() => polite.acquire('a.example', 'feed', signal));

  polite.pauseHost('a.example', 5000);
  first();

  for (const one of two) await expect(one).rejects.toMatchObject({ code: 'fetch.host_busy', params: { seconds: 5 } });
});

test('who gives up waiting leaves the queue', async () => {
  const polite = hostLimits({ perHost: 1, hostGapMs: 0 });
  const first = await polite.acquire('a.example', 'feed', signal);
  const gone = new AbortController();
  const leaving = polite.acquire('a.example', 'feed', gone.signal);

  gone.abort(new Error('gone'));
  await expect(leaving).rejects.toThrow('gone');
  first();

  (await polite.acquire('a.example', 'feed', signal))();
  expect(polite.hosts()).toBe(0);
});
