import { expect, test } from 'vitest';
import { createPageCache } from '~/server/http/page-cache';

test('what began before a clearing is not kept, though one of its tags had changed earlier', async () => {
  const cache = createPageCache({ bytes: 10_000, ceiling: 60_000, now: () => 0 });
  const rendered = { status: 200, headers: {}, body: Buffer.from('old'), tags: ['product:1'] };
  const gates: (() => void)[] = [];
  const load = (key: string) =>
    cache.load(key, async () => {
      await new Promise<void>((resolve) => gates.push(resolve));
      return rendered;
    });

  const first = load('/other');
  cache.invalidate('product:1');
  const second = load('/');
  cache.clear();
  for (const open of gates) open();
  await Promise.all([first, second]);

  expect(cache.find('/')).toBeUndefined();
});
