import { expect, test } from 'vitest';
import { ROOMS } from './rooms';
import { isTest, sources } from './support/sources';
import { unorderedSelects } from './support/unordered-selects';

const SELF = 'tests/test-files.test.ts';
const tests = sources.filter(({ file }) => isTest(file) && file !== SELF);
/** The tests of every run, and what they load. */
const everyday = tests.filter(({ file }) => !file.includes('.deep.test.'));

const CLOCK =
  /\bperformance\.now\b|\bhrtime\b|\b(?:cpu|resource|memory)Usage\b|\bDate\.now\(\) - [a-z]|- Date\.now\(\)/;
/** Lower bounds, which hold on any machine, and clock readings that no test compares. */
const MAY_READ_CLOCKS: Record<string, string> = {
  'tests/adapters/feed-fetcher/fetcher.test.ts': 'a pause takes at least as long as it should',
  'tests/adapters/feed-fetcher/resumed.test.ts': 'a pause takes at least as long as it should',
  'tests/db/pool.test.ts': 'blocks the process for a while',
  'tests/e2e/accounts.spec.ts': 'prints how long signing up takes',
  'tests/server/database-stops.test.ts': 'compares them in deep runs only',
  'tests/support/costs.ts': 'measures for deep tests',
};

test('everyday tests read no clock and no memory: those figures measure the machine', () => {
  const found = everyday.filter(({ text }) => CLOCK.test(text)).map(({ file }) => file);
  const measuring = everyday.filter(
    ({ imports, text }) => imports.some(({ target }) => target.endsWith('support/costs')) && !/\bisDeep\b/.test(text),
  );

  expect(found, 'assert the mechanism; measure costs in a deep test').toEqual(Object.keys(MAY_READ_CLOCKS));
  expect(measuring.map(({ file }) => file)).toEqual([]);
});

test('tests of the domain lie in the folder of their room', () => {
  const folders = tests.flatMap(({ file }) => /^tests\/domain\/(.+)\/[^/]+$/.exec(file)?.[1] ?? []);

  expect(folders.length).toBeGreaterThan(50);
  expect(folders.filter((folder) => !Object.hasOwn(ROOMS, folder))).toEqual([]);
});

test('a select of several rows names an order: without one, Postgres may return them in any', () => {
  const found = tests.flatMap(({ file, text }) =>
    unorderedSelects(file, text).map((select) => `${file}:${select.line}: ${select.text}`),
  );

  expect(found, 'add orderBy, or take one row').toEqual([]);
});

test.each([
  ['a list', 'const rows = await db.select().from(users).where(isNull(users.name));', 1],
  ['an ordered list', 'const rows = await db.select().from(users).orderBy(users.id);', 0],
  ['one row', 'const [row] = await db.select().from(users);', 0],
  ['two rows', 'const [one, other] = await db.select().from(users);', 1],
  ['the row of an id', 'expect(await db.select().from(users).where(eq(users.id, id))).toEqual([]);', 0],
  ['a subquery', 'db.delete(users).where(inArray(users.id, db.select({ id: users.id }).from(people)));', 0],
  ['groups', 'const rows = await db.select({ sum: sum(sales.minor) }).from(sales).groupBy(sales.userId);', 1],
  ['SQL', 'expect(await client`select name from users`).toEqual([]);', 1],
  ['ordered SQL', 'const rows = await db.execute(sql`select name from users order by 1`);', 0],
  ['a sum in SQL', 'const rows = await db.execute(sql`select sum(minor) from sales`);', 0],
])('%s is judged by what it says', (_, statement, count) => {
  expect(unorderedSelects('a.test.ts', statement)).toHaveLength(count);
});
