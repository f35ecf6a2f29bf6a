import { expect, test } from 'vitest';
import { createPageCache } from '~/server/http/caches/page-cache';

test('a page is not cached if the cache was cleared while it was being rendered', async () => {
  const cache = createPageCache({ bytes: 10_000, ceiling: 60_000, now: () => 0 });
  const rendered = { status: 200, headers: {}, body: Buffer.from('old'), tags: ['product:1'] };
  const releases: (() => void)[] = [];
  const load = (key: string) =>
    cache.load(key, async () => {
      await new Promise<void>((resolve) => releases.push(resolve));
      return rendered;
    });

  const first = load('/other');
  cache.invalidate('product:1');
  const second = load('/');
  cache.clear();
  for (const release of releases) release();
  await Promise.all([first, second]);

  expect(cache.find('/')).toBeUndefined();
});

test('a page that changed while it was rendered is not cached, although another rendering ended first', async () => {
  const cache = createPageCache({ bytes: 10_000, ceiling: 60_000, now: () => 0 });
  const gates: Record<string, () => void> = {};
  const load = (key: string) =>
    cache.load(key, async () => {
      await new Promise<void>((resolve) => {
        gates[key] = resolve;
      });
      return { status: 200, headers: {}, body: Buffer.from('old'), tags: ['product:1'] };
    });

  const [slow, quick] = [load('/slow'), load('/quick')];
  cache.invalidate('product:1');
  gates['/quick']!();
  await quick;
  gates['/slow']!();
  await slow;

  expect([cache.find('/quick'), cache.find('/slow')]).toEqual([undefined, undefined]);
});

test('requests share a rendering, but not with those that came before a change', async () => {
  const cache = createPageCache({ bytes: 10_000, ceiling: 60_000, now: () => 0 });
  const gates: (() => void)[] = [];
  const load = () =>
    cache.load('/', async () => {
      const body = Buffer.from(`rendering ${gates.length}`);
      await new Promise<void>((resolve) => gates.push(resolve));
      return { status: 200, headers: {}, body, tags: ['product:1'] };
    });

  const before = [load(), load()];
  cache.invalidate('product:1');
  const after = [load(), load()];
  for (const open of gates) open();
  const loaded = await Promise.all([...before, ...after]);

  const bodies = loaded.map((each) => 'shared' in each && each.shared.source.toString());
  expect(bodies).toEqual(['rendering 0', 'rendering 0', 'rendering 1', 'rendering 1']);
});

test('a page that changed while it was compressed is not cached again', async () => {
  const cache = createPageCache({ bytes: 10_000, ceiling: 60_000, now: () => 0 });
  const rendered = { status: 200, headers: {}, body: Buffer.from('old'), tags: ['product:1'] };
  const loaded = await cache.load('/', async () => rendered);
  if (!('shared' in loaded)) throw new Error('not shared');
  cache.invalidate('product:1');

  cache.measureAgain(loaded.shared, '/');

  expect(cache.find('/')).toBeUndefined();
});

test('a page that reads the same follows what it depends on now', async () => {
  const cache = createPageCache({ bytes: 10_000, ceiling: 60_000, now: () => 0 });
  const load = (tags: string[]) =>
    cache.load('/', async () => ({ status: 200, headers: {}, body: Buffer.from('same'), tags }));
  await load(['product:1']);
  await load(['product:2']);

  cache.invalidate('product:2');

  expect(cache.find('/')).toBeUndefined();
});

test('after a gap, a cached page serves only while the database is away, and no longer once it is gone', async () => {
  const cache = createPageCache({ bytes: 10_000, ceiling: 60_000, now: () => 0 });
  const page = { status: 200, headers: {}, body: Buffer.from('a page'), tags: ['product:1'] };
  await cache.load('/', async () => page);

  cache.expire();
  const expired = [cache.find('/'), cache.findExpired('/')?.tags];
  await cache.load('/', async () => ({ ...page, status: 503 }));
  const whileAway = cache.findExpired('/');
  await cache.load('/', async () => ({ ...page, status: 404 }));

  expect(expired).toEqual([undefined, ['product:1']]);
  expect(whileAway).toBeDefined();
  expect(cache.findExpired('/')).toBeUndefined();
});

test('a page that would be wrong while the database is away is not shown then', async () => {
  let now = 0;
  const cache = createPageCache({ bytes: 10_000, ceiling: 60_000, now: () => now });
  const rendered = (tags: string[]) => ({ status: 200, headers: {}, body: Buffer.from('fine'), tags });
  await cache.load('/status', async () => rendered(['status', 'live']));
  await cache.load('/blog', async () => rendered(['content']));
  expect(cache.find('/status')?.tags).toEqual(['status', 'live']);

  now = 60_001;

  expect([cache.findExpired('/status'), cache.findExpired('/blog')?.tags]).toEqual([undefined, ['content']]);
});
