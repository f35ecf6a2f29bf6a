import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { contactBatches, contactBatchRows, contacts } from '~/db/schema/audience';
import { contactImportProblems, contactImportRows, contactImports } from '~/db/schema/contact-imports';
import { outbox } from '~/db/schema/notifications';
import { later, MINUTES } from '~/server/base/time';
import { eraseContacts } from '~/server/domain/audience/erase-contacts';
import { eraseTraces, suppressFormer } from '~/server/domain/audience/former-addresses';
import { leaveLink } from '~/server/domain/audience/leave-newsletter';
import { moveContacts } from '~/server/domain/audience/move-contacts';
import { suppress, suppressionOf } from '~/server/domain/audience/suppressions';
import { moveSeries } from '~/server/domain/newsletter/move-series';
import { type TxCtx, transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import '../../support/matchers';
import { cast } from '../../support/cast';
import { rowsRead } from '../../support/rows-read';

const { runtime, make, visitor, lucia, ada, clock } = await cast();
const { db } = runtime;
const { creatorId } = lucia;
const jobCtx = systemCtx(runtime, 'test');

/** Where an address can be read, in any text of any table. */
async function placesOf(address: string): Promise<string[]> {
  const columns = await db.execute<{ table: string; column: string }>(sql`
    select c.table_name as table, c.column_name as column
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
      and c.data_type in ('text', 'character varying', 'json', 'jsonb', 'ARRAY')
    order by 1, 2`);
  expect(columns.length).toBeGreaterThan(300);
  const places: string[] = [];
  for (const { table, column } of columns) {
    const [row] = await db.execute<{ n: number }>(sql`
      select count(*)::int as n from ${sql.identifier(table)}
      where position(${address} in lower(${sql.identifier(column)}::text)) > 0`);
    if (row!.n > 0) places.push(`${table}.${column}`);
  }
  return places;
}

/** What a creator's files, undo and emails keep under an address. */
async function leaveTraces(of: number, email: string, contactId: number) {
  const file = { fileKey: crypto.randomUUID(), fileName: 'list.csv', host: 'other', kind: 'contacts', mapping: {} };
  const [row] = await db
    .insert(contactImports)
    .values({
      ...(file as unknown as typeof contactImports.$inferInsert),
      ...{ creatorId: of, consent: '-', consentedOn: '2026-01-01', language: 'en', status: 'done' },
    } as typeof contactImports.$inferInsert)
    .returning({ id: contactImports.id });
  await db.insert(contactImportRows).values({ importId: row!.id, line: 2, email, name: '' });
  await db
    .insert(contactImportProblems)
    .values({ importId: row!.id, line: 3, text: email.toUpperCase(), fault: 'suppressed' });
  const [batch] = await db
    .insert(contactBatches)
    .values({ creatorId: of, action: 'tag', createdAt: clock.now })
    .returning({ id: contactBatches.id });
  await db.insert(contactBatchRows).values({ batchId: batch!.id, contactId, email, before: { contact: { email } } });
  const message = { topic: 'join_newsletter', language: 'en', subject: '-', text: '-', html: '-' } as const;
  await db.insert(outbox).values({ ...message, to: email, creatorId: of, createdAt: clock.now });
}

const contactOf = async (email: string) => (await db.select().from(contacts).where(eq(contacts.email, email)))[0]!;
const erase = (email: string, id: number) => {
  const link = new URL(leaveLink(runtime, { creatorId, email, id }, 'en').url);
  return visitor.audience.eraseOwnContact({ token: link.searchParams.get('list')!, hasConfirmed: true } as never);
};

test('a contact that the creator moved twice is erased under all of its addresses, for this creator', async () => {
  const [first, second, third] = ['first@moved.example', 'second@moved.example', 'third@moved.example'] as const;
  const { id } = await lucia.api.contacts.add({ email: first, name: 'Nora', hasAgreed: true } as never);
  for (const email of [second, third]) {
    clock.now = later(clock.now, MINUTES(1));
    await lucia.api.contacts.update({ id, email, name: 'Nora', tags: [] } as never);
  }
  for (const email of [first, second, third]) await leaveTraces(creatorId, email, id);
  await leaveTraces(ada.creatorId, first, 1);
  expect((await placesOf(second)).sort()).toEqual([
    'contact_batch_rows.before',
    'contact_batch_rows.email',
    'contact_consents.text',
    'contact_import_problems.text',
    'contact_import_rows.email',
    'outbox.to',
  ]);

  await erase(third, id);

  expect(await placesOf(second)).toEqual([]);
  expect(await placesOf(third)).toEqual([]);
  // another creator's own list stays as it is
  expect(await db.$count(contactImportRows, eq(contactImportRows.email, first))).toBe(1);
  for (const email of [first, second, third])
    expect(await suppressionOf(jobCtx, { creatorId, email })).toBe('unsubscribed');
});

test('an address that another contact has by now stays on the list, with what is kept under it', async () => {
  const { id } = await lucia.api.contacts.add({ email: 'typo@moved.example', name: '', hasAgreed: true } as never);
  await lucia.api.contacts.update({ id, email: 'right@moved.example', name: '', tags: [] } as never);
  await lucia.api.contacts.add({ email: 'typo@moved.example', name: 'Other', hasAgreed: true } as never);

  await leaveTraces(creatorId, 'typo@moved.example', 1);
  const kept = await placesOf('typo@moved.example');

  await erase('right@moved.example', id);

  expect(kept).toContain('outbox.to');
  expect(await placesOf('typo@moved.example')).toEqual(kept);
  expect(await contactOf('typo@moved.example')).toMatchObject({ name: 'Other', status: 'active' });
  expect(await suppressionOf(jobCtx, { creatorId, email: 'typo@moved.example' })).toBeNull();
});

test('a person who is erased by a link of a former address does not come back with an undone deletion', async () => {
  const [first, second] = ['one@undone.example', 'two@undone.example'];
  const { id } = await lucia.api.contacts.add({ email: first, name: '', hasAgreed: true } as never);
  await lucia.api.contacts.update({ id, email: second, name: '', tags: [] } as never);
  const { batchId } = await lucia.api.contacts.change({ action: 'delete', ids: [id] } as never);

  await erase(first!, id);
  await lucia.api.contacts.undoChange({ batchId } as never);

  for (const email of [first!, second!]) {
    expect(await contactOf(email)).toBeUndefined();
    expect(await placesOf(email)).toEqual([]);
    expect(await suppressionOf(jobCtx, { creatorId, email })).toBe('unsubscribed');
  }
});

test('a link of a former address ends the emails to a contact that was deleted and has come again', async () => {
  const [first, second] = ['one@again.example', 'two@again.example'];
  const { id } = await lucia.api.contacts.add({ email: first, name: '', hasAgreed: true } as never);
  await lucia.api.contacts.update({ id, email: second, name: '', tags: [] } as never);
  await lucia.api.contacts.change({ action: 'delete', ids: [id] } as never);
  const leave = () => {
    const link = new URL(leaveLink(runtime, { creatorId, email: first!, id }, 'en').url);
    return visitor.audience.leaveNewsletter({ token: link.searchParams.get('list')! } as never);
  };
  await transact(jobCtx, (tx) => suppress(tx, { creatorId, email: first! }, 'unsubscribed'));
  await lucia.api.contacts.add({ email: second, name: '', hasAgreed: true } as never);

  await leave();
  const left = await contactOf(second!);
  clock.now = later(clock.now, MINUTES(1));
  await leave();

  expect(left).toMatchObject({ status: 'inactive', inactiveAs: 'unsubscribed', statusReason: 'link' });
  expect(await contactOf(second!)).toEqual(left);
  expect(await suppressionOf(jobCtx, { creatorId, email: second! })).toBe('unsubscribed');
});

test.each(['alone', 'merged'])('an account that moved twice is erased under its former addresses: %s', async (how) => {
  const person = await make.person();
  const addresses = [`a-${how}@account.example`, `b-${how}@account.example`, `c-${how}@account.example`] as const;
  const state = { status: 'active', source: 'follow', language: 'en', creatorId } as const;
  await db.insert(contacts).values({ ...state, email: addresses[0], userId: person.id });
  if (how === 'merged') await db.insert(contacts).values({ ...state, email: addresses[1] });
  for (const email of addresses.slice(1)) {
    await db.update(users).set({ email }).where(eq(users.id, person.id));
    await moveContacts(jobCtx, { userId: person.id }, moveSeries);
  }
  const { id } = await contactOf(addresses[2]);
  for (const email of addresses.slice(0, 2)) await leaveTraces(creatorId, email, 0);

  await eraseContacts(jobCtx, { userId: person.id });

  expect(id).toBeGreaterThan(0);
  for (const email of addresses.slice(0, 2)) expect(await placesOf(email)).toEqual([]);
});

test('erasing a contact with former addresses reads no other contacts and emails of its creator', async () => {
  const email = 'now@moved.example';
  const { id } = await lucia.api.contacts.add({ email: 'before@moved.example', name: '', hasAgreed: true } as never);
  await lucia.api.contacts.update({ id, email, name: '', tags: [] } as never);
  await leaveTraces(creatorId, 'before@moved.example', id);
  await db.execute(sql`
    insert into contacts (creator_id, email, source, language, status)
    select ${creatorId}::bigint, 'many' || n || '@moved.example', 'form', 'en', 'active' from generate_series(1, 2000) n`);
  await db.execute(sql`
    insert into outbox (creator_id, "to", topic, language, subject, html, text)
    select ${creatorId}::bigint, 'many' || n || '@moved.example', 'join_newsletter', 'en', '-', '-', '-'
    from generate_series(1, 2000) n`);
  await db.execute(sql`analyze contacts`);
  await db.execute(sql`analyze outbox`);

  const read = await rowsRead(
    jobCtx,
    async (ctx) => {
      await eraseTraces(ctx as TxCtx, eq(contacts.id, id));
      await suppressFormer(ctx as TxCtx, eq(contacts.id, id));
    },
    ['contacts', 'outbox'],
  );

  expect(read).toBeLessThan(100);
  expect(await db.$count(outbox, eq(outbox.to, 'before@moved.example'))).toBe(0);
});
