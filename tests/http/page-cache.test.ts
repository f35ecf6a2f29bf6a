import { expect, test } from 'vitest';
import { createPageCache } from '~/server/http/page-cache';

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
