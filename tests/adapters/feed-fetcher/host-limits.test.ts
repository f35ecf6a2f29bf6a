import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { hostLimits } from '~/server/adapters/feed-fetcher/host-limits';

const { signal } = new AbortController();

test('a freed slot goes only to the waiting request', async () => {
  const limits = hostLimits({ perHost: 1, hostGapMs: 0 });
  const first = await limits.acquire('a.example', 'feed', signal);
  let running = 1;
  let most = 1;
  const visit = async () => {
    const done = await limits.acquire('a.example', 'feed', signal);
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
  expect(limits.hosts()).toBe(0);
});

test('hosts are forgotten once their pauses are over', async () => {
  const limits = hostLimits({ perHost: 1, hostGapMs: 30 });
  (await limits.acquire('a.example', 'feed', signal))();
  limits.pauseHost('b.example', 30);
  const before = limits.hosts();
  await wait(50);

  const done = await limits.acquire('c.example', 'feed', signal);

  expect([before, limits.hosts()]).toEqual([2, 1]);
  done();
});

test('feeds do not wait for files', async () => {
  const limits = hostLimits({ perHost: 1, hostGapMs: 0 });
  const file = await limits.acquire('a.example', 'file', signal);

  const feed = await limits.acquire('a.example', 'feed', signal);

  let second = false;
  const waiting = limits.acquire('a.example', 'file', signal).then((done) => {
    second = true;
    return done;
  });
  feed();
  await wait(5);
  expect(second).toBe(false);
  file();
  (await waiting)();
});

test('if the host asks us to wait, a waiting request fails and frees its slot', async () => {
  const limits = hostLimits({ perHost: 1, hostGapMs: 0 });
  const first = await limits.acquire('a.example', 'feed', signal);
  const waiting = [1, 2].map(() => limits.acquire('a.example', 'feed', signal));

  limits.pauseHost('a.example', 5000);
  first();

  for (const request of waiting)
    await expect(request).rejects.toMatchObject({ code: 'fetch.host_busy', params: { seconds: 5 } });
});

test('an aborted request leaves the queue', async () => {
  const limits = hostLimits({ perHost: 1, hostGapMs: 0 });
  const first = await limits.acquire('a.example', 'feed', signal);
  const aborting = new AbortController();
  const leaving = limits.acquire('a.example', 'feed', aborting.signal);

  aborting.abort(new Error('aborted'));
  await expect(leaving).rejects.toThrow('aborted');
  first();

  (await limits.acquire('a.example', 'feed', signal))();
  expect(limits.hosts()).toBe(0);
});
