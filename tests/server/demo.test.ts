import { expect, onTestFinished, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { episodes } from '~/db/schema/episodes';
import { milestones } from '~/db/schema/operations';
import { openDemo } from '~/server/runtime/demo';
import type { Runtime } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import { databaseProxy } from '../support/database-proxy';
import { demoCast } from '../support/demo-cast';

const { runtime, clock, url } = await cast({ empty: true });
// the migration creates partitions for listens around the real date
clock.now = new Date();
const EARLY_VISITOR = {
  ...({ name: 'Ana', email: 'ana@mail.example', language: 'en', currency: 'eur' } as const),
  ...({ signedUpWith: 'password', termsAcceptedAt: new Date() } as const),
};
const PEOPLE = demoCast('patient');

function openAt(directUrl: string, changed: Partial<Runtime> = {}) {
  const local = { stripeSandbox: null, dnsZone: null, spotifySandbox: null };
  const demo = openDemo({ runtime: { ...runtime, ...changed }, directUrl, ...local }, PEOPLE);
  onTestFinished(demo.close);
  return demo;
}

/** A storage whose first write fails, and a log that keeps its warnings. */
function failingOnce() {
  const { storage } = runtime.ports;
  const warnings: string[] = [];
  let failures = 0;
  const put: typeof storage.put = (...input) => {
    failures += 1;
    return failures === 1 ? Promise.reject(new Error('disk unplugged')) : storage.put(...input);
  };
  const warn = (_: unknown, text: string) => void warnings.push(text);
  const log: Runtime['log'] = Object.assign(Object.create(runtime.log), { warn });
  return { warnings, changed: { log, ports: { ...runtime.ports, storage: { ...storage, put } } } };
}

test('the demo waits for a database, continues after a close or a sign-up before its first step, and repeats what failed', async () => {
  const proxy = await databaseProxy(url);
  onTestFinished(proxy.close);
  await proxy.refuse();
  const { warnings, changed } = failingOnce();
  const first = openAt(proxy.url, changed);
  const looking = first.look();
  await expect.poll(() => warnings.length).toBeGreaterThan(0);
  await proxy.restore();
  await looking;
  await runtime.db.insert(users).values(EARLY_VISITOR);
  const isFirstComplete = await first.prepare((done) => void (done === 3 && first.close()));
  const afterFirst = await runtime.db.$count(milestones);
  const again = openAt(proxy.url, failingOnce().changed);
  await again.look();
  const before = [again.isPreparing(), again.isComplete()];

  const isComplete = await again.prepare(() => {});

  expect([isFirstComplete, ...before]).toEqual([false, true, false]);
  expect(afterFirst).toBeGreaterThan(2);
  expect([isComplete, again.isPreparing(), again.isComplete()]).toEqual([true, false, true]);
  expect(new Set(warnings)).toEqual(new Set(['creating the demo failed and will be repeated']));
  expect(await runtime.db.$count(episodes)).toBe(2);
  const last = openAt(url);
  await last.look();
  expect([last.isPreparing(), last.isComplete()]).toEqual([false, true]);
});
