import { and, asc, eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { contactConsents, contactSegments, contacts, suppressions, taggedContacts } from '~/db/schema/audience';
import { members } from '~/db/schema/team';
import { eraseContacts } from '~/server/domain/audience/erase-contacts';
import { runContactImport } from '~/server/domain/audience/run-contact-import';
import { suppressionOf } from '~/server/domain/audience/suppressions';
import { CONTACT_LIMITS } from '~/server/limits/audience';
import { systemCtx } from '~/server/runtime/runtime';
import '../../support/matchers';
import { cast } from '../../support/cast';
import { lockWaits } from '../../support/lock-waits';

const { runtime, make, lucia, ada, pauseAt, visitorCtx, as } = await cast();
const { db } = runtime;
const { creatorId } = lucia;
const api = lucia.api.contacts;

const add = async (email: string, over: Partial<typeof contacts.$inferInsert> = {}) => {
  const base = { creatorId, source: 'form', language: 'en', status: 'active' } as const;
  const [row] = await db
    .insert(contacts)
    .values({ ...base, email, ...over })
    .returning();
  return row!;
};
const fill = (count: number, prefix = 'fan') =>
  db.execute(sql`insert into contacts (creator_id, email, source, language, status)
    select ${creatorId}, ${prefix} || n || '@mail.example', 'form', 'en', 'active' from generate_series(1, ${count}) n`);
const countOf = (status: 'active' | 'inactive') =>
  db.$count(contacts, and(eq(contacts.creatorId, creatorId), eq(contacts.status, status)));
const contactOf = async (id: number) => (await db.select().from(contacts).where(eq(contacts.id, id)))[0];

beforeEach(async () => {
  await db.delete(contacts);
  await db.delete(suppressions);
});

test('an action changes all contacts that a filter finds, on all pages, and is undone at once', async () => {
  await fill(130);
  await fill(5, 'other');
  const foreign = await add('fan@mail.example', { creatorId: ada.creatorId });
  const filter = { search: 'fan' };

  const tagged = await api.change({ action: 'tag', tag: 'VIP', filter });
  const again = await api.change({ action: 'tag', tag: 'VIP', filter });
  const stopped = await api.change({ action: 'deactivate', filter });
  expect([tagged.changed, again.changed, stopped.changed, await countOf('active')]).toEqual([130, 0, 130, 5]);
  await api.undoChange({ batchId: stopped.batchId! });
  expect(await countOf('active')).toBe(135);
  const deleted = await api.change({ action: 'delete', filter });
  expect([deleted.changed, await countOf('active')]).toEqual([130, 5]);
  await api.undoChange({ batchId: deleted.batchId! });

  expect([await countOf('active'), await db.$count(taggedContacts)]).toEqual([135, 130]);
  expect((await contactOf(foreign.id))!.status).toBe('active');
});

test('more contacts than one change takes are changed by repeating it', async () => {
  await fill(CONTACT_LIMITS.found + 7);

  const changes = [];
  for (let i = 0; i < 3; i += 1) changes.push((await api.change({ action: 'deactivate', filter: {} })).changed);

  expect(changes).toEqual([CONTACT_LIMITS.found, 7, 0]);
});

test('a filter about buyers is only for those who may read them, and ids and filter exclude each other', async () => {
  const { id } = await add('fan@mail.example');
  const editor = await make.person();
  await db.insert(members).values({ creatorId, userId: editor.id, role: 'editor' });
  await editor.api.team.switch({ creatorId });
  const { contacts: editing } = await as(editor, 'web');

  for (const input of [
    { action: 'delete', filter: {}, ids: [id] },
    { action: 'delete' },
    { action: 'delete', ids: [] },
  ])
    await expect(api.change(input as never)).rejects.toThrow();
  await expect(editing.change({ action: 'delete', filter: { subscription: 'subscribed' } })).toFailWith(
    'common.role_not_allowed',
  );

  expect(await contactOf(id)).toBeDefined();
});

test('a segment is renamed, once per name', async () => {
  const [one, two] = [
    await api.saveSegment({ name: 'Active', filter: { status: 'active' } }),
    await api.saveSegment({ name: 'Left', filter: { status: 'inactive' } }),
  ];

  await api.renameSegment({ id: one.id, name: 'Readers' });
  await expect(api.renameSegment({ id: two.id, name: 'READERS' })).toFailWith('audience.segment_exists');
  await expect(ada.api.contacts.renameSegment({ id: one.id, name: 'Mine' })).toFailWith('audience.segment_not_found');

  const names = await db.select({ name: contactSegments.name }).from(contactSegments).orderBy(asc(contactSegments.id));
  expect(names.map(({ name }) => name)).toEqual(['Readers', 'Left']);
});

test('an address is corrected once, and the history tells it', async () => {
  const contact = await add('nroa@mail.example', { name: 'Nora' });
  await add('taken@mail.example');
  const update = (email: string) => api.update({ id: contact.id, email, name: 'Nora', tags: [] });

  await expect(update('taken@mail.example')).toFailWith('audience.contact_exists');
  for (let i = 0; i < 2; i += 1) await update('nora@mail.example');

  expect(await contactOf(contact.id)).toMatchObject({ email: 'nora@mail.example', status: 'active' });
  const consents = await db
    .select()
    .from(contactConsents)
    .where(eq(contactConsents.contactId, contact.id))
    .orderBy(contactConsents.givenAt);
  expect(consents).toHaveLength(1);
  expect(consents[0]!.text).toContain('nroa@mail.example');
});

test('another address brings nobody back who has left, and a bounced one is replaced', async () => {
  const left = { status: 'inactive', inactiveAs: 'unsubscribed', statusReason: 'link' } as const;
  const gone = await add('gone@mail.example', left);
  const bounced = await add('bounced@mail.example', { ...left, inactiveAs: 'bounced', statusReason: 'bounce' });
  const other = await add('other@mail.example');
  const update = (id: number, email: string) => api.update({ id, email, name: '', tags: [] });

  await update(gone.id, 'new@mail.example');
  await update(bounced.id, 'works@mail.example');
  await expect(update(other.id, 'new@mail.example')).toFailWith('audience.address_suppressed');

  expect(await contactOf(gone.id)).toMatchObject({ email: 'new@mail.example', status: 'inactive' });
  expect(await contactOf(bounced.id)).toMatchObject({ status: 'active', statusReason: 'manual' });
  const ctx = visitorCtx();
  expect(await suppressionOf(ctx, { creatorId, email: 'new@mail.example' })).toBe('unsubscribed');
});

test.each(['deleted by its creator', 'erased with its account'])(
  'a person who has left, and is %s while an import runs, does not come back',
  async (how) => {
    const person = await make.creator();
    const left = { status: 'inactive', inactiveAs: 'unsubscribed', statusReason: 'link' } as const;
    const contact = await add(person.email, { ...left, userId: person.id });
    const contactsKey = await make.upload(lucia, 'contacts', Buffer.from(`email\n${person.email}\n`));
    const declared = { hasAgreed: true, consentSource: 'a website', consentedOn: '2026-01-01' };
    const { id } = await lucia.api.contactImports.request({ contactsKey, ...declared } as never);
    const pause = pauseAt('contacts.checked');
    const running = runContactImport(systemCtx(runtime, 'audience.import-contacts'), id);
    await pause.reachedBy(running);

    const removing =
      how === 'deleted by its creator'
        ? api.change({ action: 'delete', ids: [contact.id] })
        : eraseContacts(visitorCtx(), { userId: person.id });
    await Promise.race([removing, lockWaits(db)]);
    pause.goOn();
    await Promise.all([running, removing]);

    expect(await countOf('active')).toBe(0);
    expect(await suppressionOf(visitorCtx(), { creatorId, email: person.email })).toBe('unsubscribed');
  },
);
