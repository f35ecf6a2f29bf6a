import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cast } from '../support/cast';

const { db } = (await cast({ empty: true })).runtime;

async function add(a: unknown, b: unknown, most: unknown = {}): Promise<unknown> {
  const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`;
  const [row] = await db.execute<{ sum: unknown }>(
    sql`select add_counts(${json(a)}, ${json(b)}, ${json(most)}) as sum`,
  );
  return row?.sum;
}

const many = (count: number, number: (i: number) => number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key-${i}`, number(i)]));

test.each([
  ['nothing and something', {}, { app: { a: 2 } }, { app: { a: 2 } }],
  ['something and nothing', { app: { a: 2 } }, {}, { app: { a: 2 } }],
  ['an empty map', { app: { a: 2 } }, { app: {}, os: {} }, { app: { a: 2 } }],
  [
    'equal and other keys',
    { country: { ES: 1 }, app: { a: 1 } },
    { country: { ES: 1, FR: 2 }, os: { ios: 3 } },
    { country: { ES: 2, FR: 2 }, app: { a: 1 }, os: { ios: 3 } },
  ],
  [
    'maps of many keys',
    { app: many(100, (i) => i), os: { ios: 1 } },
    { app: many(120, () => 1), os: { ios: 1 } },
    { app: many(120, (i) => (i < 100 ? i + 1 : 1)), os: { ios: 2 } },
  ],
  [
    'what is no map or number, as in a damaged backup',
    { country: 'x', app: { a: 'x', b: 1e300 }, os: [1] },
    { country: { ES: 1 }, app: { a: 1, b: 1 }, os: { ios: 1 } },
    { country: { ES: 1 }, app: { a: 1, b: 1e300 }, os: { ios: 1 } },
  ],
  ['what is no map at all', [1], { app: { a: 1 } }, { app: { a: 1 } }],
])('counts are added: %s', async (_, a, b, sum) => {
  expect(await add(a, b)).toEqual(sum);
});

test('a map with as many keys as it may have counts others together, the largest ones by name', async () => {
  const counts = { app: { a: 1, b: 1 } };

  expect(await add(counts, { app: { b: 1, c: 2, d: 5, e: 1 } }, { app: 3 })).toEqual({
    app: { a: 1, b: 2, d: 5, other: 3 },
  });
  expect(await add({ app: { a: 1, other: 4 } }, { app: { c: 2 }, os: { x: 1 } }, { app: 2 })).toEqual({
    app: { a: 1, other: 6 },
    os: { x: 1 },
  });
});

test('a map that gets many keys at once names the largest ones', async () => {
  const sum = await add({ app: { a: 1 } }, { app: many(200, (i) => i) }, { app: 3 });

  expect(sum).toEqual({ app: { a: 1, 'key-198': 198, 'key-199': 199, other: (197 * 198) / 2 } });
});
