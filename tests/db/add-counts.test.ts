import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { cast } from '../support/cast';

const { db } = (await cast({ empty: true })).runtime;

async function add(a: unknown, b: unknown, most: unknown = {}): Promise<unknown> {
  const text = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`;
  const [row] = await db.execute<{ sum: unknown }>(
    sql`select add_counts(${text(a)}, ${text(b)}, ${text(most)}) as sum`,
  );
  return row?.sum;
}

test.each([
  ['nothing and something', {}, { ES: 2 }, { ES: 2 }],
  ['something and nothing', { ES: 2 }, {}, { ES: 2 }],
  ['equal and other keys', { ES: 2, FR: 1 }, { ES: 3, IT: 4 }, { ES: 5, FR: 1, IT: 4 }],
  [
    'maps of maps',
    { country: { ES: 1 }, app: { a: 1 } },
    { country: { ES: 1, FR: 2 }, os: { ios: 3 }, app: {} },
    { country: { ES: 2, FR: 2 }, app: { a: 1 }, os: { ios: 3 } },
  ],
  [
    'what is no map, as from a damaged backup',
    { country: 'x', app: [1] },
    { country: { ES: 1 } },
    { country: { ES: 1 }, app: [1] },
  ],
  ['no map at all', [1], { ES: 1 }, { ES: 1 }],
])('counts are added: %s', async (_, a, b, sum) => {
  expect(await add(a, b)).toEqual(sum);
});

test('a map with as many keys as it may have counts others together, the largest ones by name', async () => {
  expect(await add({ a: 1, b: 1 }, { b: 1, c: 2, d: 5, e: 1 }, 3)).toEqual({ a: 1, b: 2, d: 5, other: 3 });
  expect(await add({ a: 1, other: 4 }, { c: 2 }, 2)).toEqual({ a: 1, other: 6 });
  const most = { referrer: 1 };
  const sum = await add(
    { referrer: { 'a.example': 1 } },
    { referrer: { 'b.example': 1, 'c.example': 1 }, app: { x: 1 } },
    most,
  );
  expect(sum).toEqual({ referrer: { 'a.example': 1, other: 2 }, app: { x: 1 } });
});
