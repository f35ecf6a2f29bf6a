import { eq, sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { episodeTranscripts } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { listens } from '~/db/schema/listening';
import { milestones } from '~/db/schema/operations';
import { products } from '~/db/schema/products';
import { unavailable } from '~/server/base/errors';
import type { Runtime } from '~/server/runtime/runtime';
import { actAs } from '~/server/seed/acting';
import { claimPage, register } from '~/server/seed/actions';
import { seedDemo } from '~/server/seed/demo';
import { beginDemo, stateOfDemo } from '~/server/seed/steps';
import { cast } from '../support/cast';
import { demoCast } from '../support/demo-cast';
import { testRuntime } from '../support/runtime';

const { runtime, clock } = await cast({ empty: true });
// the migration creates partitions for listens around the real date
clock.now = new Date();

/** A runtime whose storage fails after `uploads` files. */
function failingAfter(uploads: number, error: Error = new Error('disk unplugged')): Runtime {
  let left = uploads;
  const put: Runtime['ports']['storage']['put'] = (...input) => {
    left -= 1;
    return left < 0 ? Promise.reject(error) : runtime.ports.storage.put(...input);
  };
  return { ...runtime, ports: { ...runtime.ports, storage: { ...runtime.ports.storage, put } } };
}

test('a seed interrupted at any upload is completed by the next start, without duplicates', async () => {
  const { db } = runtime;
  onTestFinished(async () => void (await db.delete(milestones)));
  const cast = demoCast('interrupted');

  for (const uploads of [0, 1, 2, 3]) {
    await expect(seedDemo(failingAfter(uploads), cast)).rejects.toMatchObject({ cause: { message: 'disk unplugged' } });
  }
  const completed = await seedDemo(runtime, cast);
  const again = await seedDemo(runtime, cast);

  const [product, ...others] = await db
    .select()
    .from(products)
    .where(eq(products.slug, 'interrupted-tests'))
    .orderBy(products.id);
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

/** The rows of each table that is not empty. */
async function countRows({ db }: Runtime): Promise<Record<string, number>> {
  const tables = await db.execute<{ name: string }>(sql`
    select quote_ident(table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`);
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await db.execute<{ rows: number }>(sql`select count(*)::int as rows from ${sql.raw(name)}`);
    if (row && row.rows > 0) counts[name] = row.rows;
  }
  return counts;
}

test('a start that is killed before each step creates what one start creates, also once people have signed up', async () => {
  const [straight, killed] = [await testRuntime(), await testRuntime()];
  for (const { clock: each } of [straight, killed]) each.now = new Date();
  const people = demoCast('killed');
  const names: number[] = [];
  await seedDemo(straight.runtime, people, { onProgress: (done) => names.push(done) });
  const stranger = { name: 'Ana', email: 'ana@mail.example', language: 'en', currency: 'eur' } as const;
  const values = { ...stranger, signedUpWith: 'password' as const, termsAcceptedAt: new Date() };

  for (const step of names.slice(1)) {
    const onProgress = (done: number) => {
      if (done === step) throw new Error('killed');
    };
    await expect(seedDemo(killed.runtime, people, { onProgress })).rejects.toThrow('killed');
    await killed.runtime.db.insert(users).values(values).onConflictDoNothing();
  }
  await seedDemo(killed.runtime, people);

  const expected = await countRows(straight.runtime);
  expect(names.length).toBeGreaterThan(20);
  expect(await countRows(killed.runtime)).toEqual({ ...expected, users: expected.users! + 1 });
});

test('a database with other accounts is never seeded', async () => {
  await seedDemo(runtime, demoCast('existing'));
  await runtime.db.delete(milestones);

  expect(await seedDemo(runtime, demoCast('unwanted'))).toBe(false);
});

test('addresses that a visitor took before the demo are skipped with one line each, and the rest is created', async () => {
  const { runtime: taken, clock: each } = await testRuntime();
  each.now = new Date();
  const skipped: string[] = [];
  const error = ({ step }: { step: string }) => void skipped.push(step);
  const log: Runtime['log'] = Object.assign(Object.create(taken.log), { error });
  const [visitor] = demoCast('visitor');
  await beginDemo(taken.db);
  await register(await actAs(taken, visitor!), visitor!);
  await claimPage(await actAs(taken, visitor!), { ...visitor!.creator!, domain: 'taken' });

  await seedDemo({ ...taken, log }, [...demoCast('taken'), ...demoCast('free')]);

  const shows = await taken.db.select({ slug: products.slug }).from(products).orderBy(products.id);
  expect(await stateOfDemo(taken.db)).toBe('complete');
  expect(shows).toEqual([{ slug: 'free-tests' }]);
  expect(skipped).toContain('page taken@altavoz.example');
  expect(skipped.filter((step) => !step.includes('taken'))).toEqual([]);
});

test('a step that the machine refuses for the moment is not skipped', async () => {
  await beginDemo(runtime.db);
  const busy = failingAfter(0, unavailable({ seconds: 1 }));

  const seeding = seedDemo(busy, demoCast('busy'));

  await expect(seeding).rejects.toMatchObject({ cause: { code: 'common.unavailable' } });
});

test('without a worker, a paid show gets its public episode, which needs a checked private one, and a take-down', async () => {
  const [person] = demoCast('paid');
  const [show] = person!.products;
  const [first, second] = show!.episodes;
  const paid = {
    ...show!,
    price: '4.00',
    episodes: [
      { ...first!, type: 'private' as const },
      { ...second!, isTakenDown: true },
    ],
  };

  await seedDemo(runtime, [{ ...person!, products: [paid] }]);

  const [product] = await runtime.db.select().from(products).where(eq(products.slug, paid.slug));
  const made = await runtime.db.select().from(episodes).where(eq(episodes.productId, product!.id)).orderBy(episodes.id);
  expect(made.map(({ name, status, takenDownAt }) => [name, status, takenDownAt !== null])).toEqual([
    ['First', 'published', false],
    ['Lisboa, tranvía de las siete', 'published', true],
  ]);
});
