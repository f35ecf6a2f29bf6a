import { eq, sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { createDb } from '~/db/client';
import { users } from '~/db/schema/accounts';
import { testDatabase } from '../support/db';

const { url } = await testDatabase();
const { db, close } = createDb(url, { max: 1 });
afterAll(close);

const preparedLike = async (text: string) =>
  (await db.execute<{ uses: number }>(sql`
    select (generic_plans + custom_plans)::int as uses from pg_prepared_statements where statement like ${`%${text}%`} order by 1`)) as {
    uses: number;
  }[];

test('a query is prepared once for a connection and then reused', async () => {
  const find = (email: string) =>
    db.select({ id: users.id, name: users.name }).from(users).where(eq(users.email, email)).orderBy(users.id);

  for (const email of ['ana@mail.example', 'tom@mail.example', 'lin@mail.example']) await find(email);

  expect(await preparedLike('select "id", "name" from "users"')).toEqual([{ uses: 3 }]);
});

test('a statement of many rows is not kept', async () => {
  const rows = Array.from({ length: 2000 }, (_, i) => sql`(${i}::int)`);

  const [count] = await db.execute(sql`select count(*)::int as many from (values ${sql.join(rows, sql`, `)}) as rows`);

  expect(count).toEqual({ many: 2000 });
  expect(await preparedLike('as many from (values')).toEqual([]);
});

test('arrays are sent also by the connection that replaces a lost one', async () => {
  const arrays = () =>
    db.execute<{ many: number }>(sql`select cardinality(${sql.param(['a', 'b,c'])}::text[]) as many`);
  expect(await arrays()).toEqual([{ many: 2 }]);

  await expect(db.execute(sql`select pg_terminate_backend(pg_backend_pid())`)).rejects.toThrow();

  expect(await arrays()).toEqual([{ many: 2 }]);
});
