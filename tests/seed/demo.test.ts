import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { episodeTranscripts } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { listens } from '~/db/schema/listening';
import { milestones } from '~/db/schema/operations';
import { products } from '~/db/schema/products';
import type { Runtime } from '~/server/runtime';
import { seedDemo } from '~/server/seed/demo';
import type { DemoPerson } from '~/server/seed/demo-types';
import { cast } from '../support/cast';

const { runtime, clock } = await cast({ empty: true });
// the migration creates partitions for listens around the real date
clock.now = new Date();

/** A creator with one podcast of two short episodes: four uploads. */
function castOf(domain: string): DemoPerson[] {
  const texts = { description: 'A test.', language: 'en' as const };
  const page = { name: 'Test', domain, timeZone: 'Europe/Madrid', about: { title: 'About', text: 'Testing.' } };
  const episode = (name: string, daysAgo: number) => ({ name, description: 'A test.', seconds: 2, daysAgo });
  const product = { kind: 'podcast' as const, name: 'Tests', slug: `${domain}-tests`, category: 1100, ...texts };
  const shows = [
    { ...product, cover: 'bars' as const, episodes: [episode('First', 9), episode('Lisboa, tranvía de las siete', 2)] },
  ];
  const email = `${domain}@altavoz.example`;
  return [
    { name: 'Test', email, country: 'ES', birthDate: '1990-05-01', language: 'en', creator: page, products: shows },
  ];
}

/** A runtime whose storage fails after `uploads` files. */
function failingAfter(uploads: number): Runtime {
  let left = uploads;
  const put: Runtime['ports']['storage']['put'] = (...input) => {
    left -= 1;
    return left < 0 ? Promise.reject(new Error('disk unplugged')) : runtime.ports.storage.put(...input);
  };
  return { ...runtime, ports: { ...runtime.ports, storage: { ...runtime.ports.storage, put } } };
}

test('a seed interrupted at any upload is completed by the next start, without duplicates', async () => {
  const { db } = runtime;
  onTestFinished(async () => void (await db.delete(milestones)));
  const cast = castOf('interrupted');

  for (const uploads of [0, 1, 2, 3]) {
    await expect(seedDemo(failingAfter(uploads), cast)).rejects.toThrow('disk unplugged');
  }
  const completed = await seedDemo(runtime, cast);
  const again = await seedDemo(runtime, cast);

  const [product, ...others] = await db.select().from(products).where(eq(products.slug, 'interrupted-tests'));
  const made = await db.select().from(episodes).where(eq(episodes.productId, product!.id)).orderBy(episodes.id);
  expect([completed, again]).toEqual([true, false]);
  expect(others).toEqual([]);
  expect(made.map(({ name }) => name)).toEqual(['First', 'Lisboa, tranvía de las siete']);
  expect(made[1]).toMatchObject({
    people: [{ role: 'host' }, { role: 'guest' }],
    description: expect.stringMatching('0:24'),
  });
  expect(await db.$count(episodeTranscripts)).toBe(1);
  expect(await db.$count(listens)).toBeGreaterThan(0);
});

test('a database with other accounts is never seeded', async () => {
  await seedDemo(runtime, castOf('existing'));
  await runtime.db.delete(milestones);

  expect(await seedDemo(runtime, castOf('unwanted'))).toBe(false);
});
