import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { contacts } from '~/db/schema/audience';
import { CONTACT_ORDERS } from '~/db/values/contacts';
import { whereFound } from '~/server/domain/audience/contact-filter';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';

const { runtime, make, lucia, ada } = await cast();
const { db } = runtime;
const ctx = systemCtx(runtime, 'test');
const { creatorId } = lucia;

/** The plan of the count, which reads all contacts that a filter finds. */
async function planOf(search: string): Promise<string> {
  const isFound = await whereFound(ctx, creatorId, { search });
  const rows = await db.execute<{ 'QUERY PLAN': string }>(
    sql`explain select id from ${contacts} where ${isFound} limit 10001`,
  );
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

test('one or two letters find beginnings of addresses and names, by their indexes', async () => {
  await db.execute(sql`
    insert into contacts (creator_id, email, name, source, language, status, since)
    select c.id, chr(97 + n % 26) || chr(97 + n / 26 % 26) || n || '@mail.example',
      case when n % 3 = 0 then '' else chr(65 + n / 7 % 26) || chr(97 + n / 11 % 26) || ' Qz ' || n end,
      'form', 'en', 'active', now() - n * interval '1 minute'
    from generate_series(1, 20000) n, (values (${creatorId}::bigint), (${ada.creatorId}::bigint)) as c(id)`);
  await db.execute(sql`analyze contacts`);
  const brute = async (start: string) => {
    const [row] = await db.execute<{ n: number }>(sql`select count(*)::int as n from contacts
      where creator_id = ${creatorId} and (email like ${`${start}%`} or lower(name) like ${`${start}%`})`);
    return row!.n;
  };

  for (const search of ['a', 'AB', 'z', '9']) {
    const { found } = await lucia.api.contacts.list({ search });
    expect(found.count, search).toBe(await brute(search.toLowerCase()));
  }
  for (const search of ['ab', 'Zq']) {
    const plan = await planOf(search);
    expect(plan).toContain('contacts_address_starts');
    expect(plan).toContain('contacts_name_starts');
    expect(plan).not.toContain('Seq Scan on contacts');
  }
  expect((await lucia.api.contacts.list({ search: 'z 12346' })).found.count).toBe(1);
  for (const search of ['%', '_', '\\', '𝐀', '\u{d7ff}']) await lucia.api.contacts.list({ search });
});

test('a search finds names with and without accents, and words in any order, by indexes', async () => {
  const names = ['Ana García', 'Ángel Gracia', 'Søren Łuczak', 'Анна Кай', 'Émile', 'Li An', 'Zoë O’Brien'];
  const { creatorId: own, api } = await make.creator();
  await db.execute(sql`
    insert into contacts (creator_id, email, name, source, language, status)
    select ${own}, 'p' || n || '@mail.example', name, 'form', 'en', 'active'
    from jsonb_array_elements_text(${JSON.stringify(names)}::text::jsonb) with ordinality as t(name, n)`);
  const found = async (search: string) => {
    const { items } = await api.contacts.list({ search });
    return items.map(({ name }) => name).sort();
  };

  expect(await found('garcia ana')).toEqual(['Ana García']);
  expect(await found('GARCÍA')).toEqual(['Ana García']);
  expect(await found('angel gra')).toEqual(['Ángel Gracia']);
  expect(await found('lucz soren')).toEqual(['Søren Łuczak']);
  expect(await found('КАЙ анна')).toEqual(['Анна Кай']);
  expect(await found('em')).toEqual(['Émile']);
  expect(await found('é')).toEqual(['Émile']);
  expect(await found('an')).toEqual(['Ana García', 'Ángel Gracia']);
  expect(await found('an li')).toEqual(['Li An']);
  expect(await found('ana p1@')).toEqual(['Ana García']);
  expect(await found('garcia b')).toEqual([]);
  for (const search of ['\u0301', '\u0301\u0301 a', 'a b c d e f g h', '% _ \\', 'ﬁ']) await found(search);
  const plan = await planOf('zzgarcia ana');
  expect(plan).toContain('contacts_plain_parts');
  expect(plan).not.toContain('Seq Scan on contacts');
  expect(await planOf('zé')).toContain('contacts_plain_starts');
});

test('a filter that finds few, which are sorted, has pages without gaps in each order', async () => {
  await db.execute(sql`insert into contact_tags (creator_id, name) values (${creatorId}, 'Rare')`);
  await db.execute(sql`insert into tagged_contacts (tag_id, contact_id)
    select t.id, c.id from contact_tags t, (select id from contacts where creator_id = ${creatorId} order by id limit 120) c
    where t.creator_id = ${creatorId} and t.name = 'Rare'`);
  await db.execute(sql`analyze tagged_contacts`);
  const filter = { tag: 'Rare', status: 'active' } as const;

  for (const sort of CONTACT_ORDERS) {
    const first = await lucia.api.contacts.list({ ...filter, sort });
    const second = await lucia.api.contacts.list({ ...filter, sort, after: first.after! });
    const third = await lucia.api.contacts.list({ ...filter, sort, after: second.after! });
    const back = await lucia.api.contacts.list({ ...filter, sort, before: third.before! });
    const ids = [first, second, third].flatMap(({ items }) => items.map(({ id }) => id));
    expect(new Set(ids).size).toBe(120);
    expect(back.items).toEqual(second.items);
  }
});

test('one state of inactive contacts is found by its index', async () => {
  await db.execute(sql`
    update contacts set status = 'inactive', inactive_as = case when id % 5 = 0 then 'bounced' else 'unsubscribed' end
    where creator_id = ${creatorId}`);
  await db.execute(sql`vacuum analyze contacts`);
  const isFound = await whereFound(ctx, creatorId, { status: 'bounced' });

  const rows = await db.execute<{ 'QUERY PLAN': string }>(
    sql`explain select id, since from ${contacts} where ${isFound} limit 10001`,
  );

  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('contacts_by_state');
  const { found } = await lucia.api.contacts.list({ status: 'bounced' });
  const isBounced = sql`creator_id = ${creatorId} and inactive_as = 'bounced'`;
  expect(found).toEqual({ count: await db.$count(contacts, isBounced), isMore: false });
  expect(found.count).toBeGreaterThan(1000);
});
