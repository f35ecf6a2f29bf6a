import { asc, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { runMigrations } from '~/db/migrate';
import { contactConsents, contactSources, contacts, suppressions } from '~/db/schema/audience';
import { emptyDatabase } from '../support/db';
import { folderUntil } from '../support/older-migrations';

const PEOPLE = `
  insert into users (email, name, currency, terms_accepted_at, email_verified_at, language) values
    ('owner@mail.example', 'Olga', 'eur', now(), now(), 'es'), ('ana@mail.example', 'Ana', 'eur', now(), now(), 'es'),
    ('typed@mail.example', 'Typed', 'eur', now(), null, null), ('paid@mail.example', 'Pau', 'eur', now(), null, null);
  insert into creators (user_id, name, domain, claimed_at) values (1, 'Olga', 'olga', now());
  insert into products (creator_id, kind, name, slug, description, category, language, cover_key, price_minor, currency, feed_guid)
    select 1, 'podcast', slug, slug, '', 1, 'es', 'key', price, 'eur', gen_random_uuid()
    from (values ('free', null), ('paid', 500)) show (slug, price);
  insert into grants (user_id, product_id, source, starts_at) values
    (1, 1, 'follow', '2026-01-01'), (2, 1, 'follow', '2026-02-01'), (3, 1, 'follow', '2026-02-01'),
    (2, 2, 'subscription', '2026-03-01'), (4, 2, 'purchase', '2026-03-02'), (3, 2, 'gift', '2026-03-02');
  insert into contacts (creator_id, email, source, status, language, confirmed_at, created_at, updated_at) values
    (1, 'left@mail.example', 'form', 'inactive', 'es', '2026-01-02', '2026-01-01', '2026-01-09'),
    (1, 'fan@mail.example', 'form', 'active', 'es', '2026-01-02', '2026-01-01', '2026-01-02'),
    (1, 'ana@mail.example', 'form', 'pending', 'es', null, '2026-11-01', '2026-11-01')`;

test('the new list has the contacts and states of before, and the people of the shows', async () => {
  const { url, db, client } = await emptyDatabase();
  await runMigrations(url, folderUntil(39));
  await client.unsafe(PEOPLE);

  await runMigrations(url, 'db/migrations');

  const { email, name, userId, status, inactiveAs, statusReason } = contacts;
  const since = sql<string>`(${contacts.since} at time zone 'UTC')::date::text`;
  const sources = sql<string>`(select string_agg(${contactSources.source}, ' ' order by ${contactSources.source})
    from ${contactSources} where ${contactSources.contactId} = ${contacts.id})`;
  const found = await db
    .select({ email, name, userId, status, inactiveAs, statusReason, since, sources })
    .from(contacts)
    .orderBy(asc(email));
  expect(found.map((row) => Object.values(row))).toEqual([
    ['ana@mail.example', 'Ana', 2, 'active', null, 'follow', '2026-02-01', 'follow form subscription'],
    ['fan@mail.example', '', null, 'active', null, 'form', '2026-01-01', 'form'],
    ['left@mail.example', '', null, 'inactive', 'unsubscribed', 'link', '2026-01-01', 'form'],
    ['paid@mail.example', 'Pau', 4, 'active', null, 'purchase', '2026-03-02', 'purchase'],
  ]);
  expect(await db.$count(contactConsents)).toBe(2);
  expect(await db.$count(suppressions, eq(suppressions.reason, 'unsubscribed'))).toBe(1);
});
