import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { runMigrations } from '~/db/migrate';
import { emptyDatabase } from '../support/db';
import { folderUntil } from '../support/older-migrations';

/** Two editions, of which one has emails in every state. */
const BEFORE = `
  insert into users (email, name, currency, terms_accepted_at, email_verified_at, language)
    values ('owner@mail.example', 'Olga', 'eur', now(), now(), 'es');
  insert into creators (user_id, name, domain, claimed_at) values (1, 'Olga', 'olga', now());
  insert into contacts (creator_id, email, source, status, language)
    select 1, 'reader' || n || '@mail.example', 'form', 'active', 'es' from generate_series(1, 12) n;
  insert into editions (creator_id, status, title, started_at) values (1, 'sent', 'One', now()), (1, 'sending', 'Two', now());
  insert into edition_recipients (edition_id, contact_id, pays, state, answer)
    select 1, n, false, (array['sent', 'sent', 'bounced', 'complained', 'failed', 'unknown', 'skipped', 'skipped', 'skipped'])[n],
      (array['250 ok', null, '550 no', null, '451 later', null, 'left', 'left', null])[n]
    from generate_series(1, 9) n;
  insert into edition_recipients (edition_id, contact_id, pays, state, due_at)
    select 2, n, true, case when n > 10 then 'leased' else 'waiting' end, now() from generate_series(8, 12) n`;

test('the sums have the emails of before, and follow those that change after the upgrade', async () => {
  const { url, db, client } = await emptyDatabase();
  await runMigrations(url, folderUntil(50));
  await client.unsafe(BEFORE);

  await runMigrations(url, 'db/migrations');

  const sums = async () =>
    (
      await db.execute(sql`
        select edition_id::int as edition, state, reason, sum(emails)::int as emails from edition_sums
        group by 1, 2, 3 having sum(emails) <> 0 order by 1, 2, 3`)
    ).map((row) => Object.values(row).join(' '));
  expect(await sums()).toEqual([
    ...[
      '1 bounced  1',
      '1 complained  1',
      '1 failed  1',
      '1 sent  2',
      '1 skipped  1',
      '1 skipped left 2',
      '1 unknown  1',
    ],
    ...['2 leased  2', '2 waiting  3'],
  ]);

  await client.unsafe(`
    update edition_recipients set state = 'sent' where edition_id = 2 and state = 'leased';
    delete from contacts where id = 8`);
  expect((await sums()).slice(5)).toEqual(['1 skipped left 2', '1 unknown  1', '2 sent  2', '2 waiting  2']);
});
