import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { hostLimits } from '~/server/adapters/feed-fetcher/host-limits';

const { signal } = new AbortController();

test('a freed slot goes to the waiting request only', async () => {
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

test('hosts are forgotten once their pauses are over', async () => {
  const polite = hostLimits({ perHost: 1, hostGapMs: 30 });
  (await polite.acquire('a.example', 'feed', signal))();
  polite.pauseHost('b.example', 30);
  const before = polite.hosts();
  await wait(50);

  const done = await polite.acquire('c.example', 'feed', signal);

  expect([before, polite.hosts()]).toEqual([2, 1]);
  done();
});

test('feeds do not wait for files', async () => {
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

test('a waiting request fails and passes its slot on if the host asks us to wait', async () => {
  const polite = hostLimits({ perHost: 1, hostGapMs: 0 });
  const first = await polite.acquire('a.example', 'feed', signal);
  const two = [1, 2].map(() => polite.acquire('a.example', 'feed', signal));

  polite.pauseHost('a.example', 5000);
  first();

  for (const one of two) await expect(one).rejects.toMatchObject({ code: 'fetch.host_busy', params: { seconds: 5 } });
});

test('an aborted request leaves the queue', async () => {
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
