import { eq } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { contactBatchRows, contactSources, contacts, contactTags, taggedContacts } from '~/db/schema/audience';
import { creatorPlans } from '~/db/schema/plans';
import { members } from '~/db/schema/team';
import { eraseContacts } from '~/server/domain/audience/erase-contacts';
import { suppress } from '~/server/domain/audience/suppressions';
import { CONTACT_LIMITS } from '~/server/limits/audience';
import { RATE_LIMITS } from '~/server/limits/http';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import '../../support/matchers';
import { cast } from '../../support/cast';

const { runtime, make, as } = await cast();
const { db } = runtime;
const ctx = systemCtx(runtime, 'test');
const owner = await make.creator();
const { creatorId } = owner;
const api = owner.api.contacts;
const agreed = { hasAgreed: true } as never as { hasAgreed: string };

async function add(email: string, over: Partial<typeof contacts.$inferInsert> = {}): Promise<number> {
  const row = { creatorId, email, source: 'form', language: 'en', status: 'active', ...over } as const;
  const [added] = await db.insert(contacts).values(row).returning({ id: contacts.id });
  return added!.id;
}
const cursorOf = (key: unknown) => Buffer.from(JSON.stringify([key, 1])).toString('base64url');

afterEach(async () => {
  await db.delete(contacts).where(eq(contacts.creatorId, creatorId));
});

test('a member who may not read the buyers learns from no list, filter, segment or page who pays', async () => {
  const person = await make.person();
  const id = await add(person.email, { source: 'subscription', statusReason: 'subscription', userId: person.id });
  await db.insert(contactSources).values([
    { contactId: id, creatorId, source: 'subscription' },
    { contactId: id, creatorId, source: 'form' },
  ]);
  await api.saveSegment({ name: 'Buyers', filter: { source: 'subscription' } });
  await api.saveSegment({ name: 'Active', filter: { status: 'active' } });
  const editor = await make.person();
  await db.insert(members).values({ creatorId, userId: editor.id, role: 'editor' });
  await editor.api.team.switch({ creatorId });
  const { contacts: editing } = await as(editor, 'web');

  const list = await editing.list({});
  const page = await editing.get({ id });

  expect(list.items).toMatchObject([{ email: person.email, months: null, sources: ['form'] }]);
  expect(list.shows).toEqual([]);
  expect(list.segments.map(({ name }) => name)).toEqual(['Active']);
  expect(page).toMatchObject({
    contact: { months: null, sources: ['form'], statusReason: null },
    sources: [{ source: 'form' }],
    shows: [],
  });
  for (const filter of [{ subscription: 'subscribed' }, { show: 'any' }, { source: 'purchase' }] as const) {
    await expect(editing.list(filter)).toFailWith('common.role_not_allowed');
    await expect(editing.saveSegment({ name: 'x', filter })).toFailWith('common.role_not_allowed');
  }
  expect((await api.list({ source: 'subscription' })).items).toHaveLength(1);
});

test('a suppressed address is not activated, even if the team had deactivated it', async () => {
  const id = await add('gone@mail.example');
  const { batchId } = await api.change({ action: 'deactivate', ids: [id] });
  await transact(ctx, (tx) => suppress(tx, { creatorId, email: 'gone@mail.example' }, 'bounced'));

  expect(await api.change({ action: 'activate', ids: [id] })).toEqual({ batchId: null, changed: 0 });
  await api.undoChange({ batchId: batchId! });

  expect(await api.get({ id })).toMatchObject({ contact: { state: 'unsubscribed' } });
});

test('contacts that become active again need a place in the plan', async () => {
  await db.update(creatorPlans).set({ plan: 'FREE' }).where(eq(creatorPlans.creatorId, creatorId));
  const [first, second] = [await add('a@mail.example'), await add('b@mail.example')];
  const deactivated = await api.change({ action: 'deactivate', ids: [first] });
  const deleted = await api.change({ action: 'delete', ids: [second] });
  const rest = Array.from({ length: 10_000 }, (_, i) => ({
    ...{ creatorId, email: `n${i}@full.example`, source: 'import', status: 'active', language: 'en' },
  }));
  for (let i = 0; i < rest.length; i += 2500) await db.insert(contacts).values(rest.slice(i, i + 2500) as never);

  await expect(api.change({ action: 'activate', ids: [first] })).toFailWith('plan.max_contacts');
  for (const { batchId } of [deactivated, deleted])
    await expect(api.undoChange({ batchId: batchId! })).toFailWith('plan.max_contacts');
});

test('a contact has no more tags than its form shows, and a tag has no comma', async () => {
  const id = await add('many@mail.example');
  const names = Array.from({ length: CONTACT_LIMITS.tagsOfContact }, (_, i) => `t${i}`);
  await api.update({ id, name: '', tags: names });

  expect(await api.change({ action: 'tag', ids: [id], tag: 'one more' })).toEqual({ batchId: null, changed: 0 });
  await expect(api.change({ action: 'tag', ids: [id], tag: 'a,b' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(await db.$count(taggedContacts, eq(taggedContacts.contactId, id))).toBe(names.length);
  await db.delete(contactTags).where(eq(contactTags.creatorId, creatorId));
});

test('hostile texts and places are cleaned, refused, or mean the start of the list', async () => {
  const { id } = await api.add({ email: 'clean@mail.example', name: 'Nora\r\nBcc: x\u0000', tags: 'a\nb', ...agreed });
  expect(await api.get({ id })).toMatchObject({ contact: { name: 'Nora Bcc: x', tags: ['a b'] } });
  await api.saveSegment({ name: 'Half \ud800', filter: { search: 'x\ud800' } });

  const days = ['2026-99-99 00:00:00+00', '2026-02-30 00:00:00+00', '0000-01-01 00:00:00+00'];
  for (const key of ['foo', '2026-11-27 00:00:00+00; drop', ...days, 5, null, '\ud800'])
    for (const sort of ['newest', 'oldest', 'name', 'email'] as const) {
      const page = await api.list({ sort, after: cursorOf(key) });
      if (sort === 'newest' || sort === 'oldest') expect(page.items).toHaveLength(1);
    }
});

test.each(['2026-01-30 09:00:00.12+00', '2026-01-31 23:59:59+00', '2028-02-29 00:00:00.000001+00'])(
  'a list sorted by a time goes on after %s',
  async (at) => {
    const [before, same, after] = ['2024-01-01 00:00:00+00', at, '2029-01-01 00:00:00+00'].map(
      (time) => new Date(time),
    );
    for (const [i, since] of [before, same, after].entries()) await add(`at${i}@mail.example`, { since: since! });

    const page = await api.list({ sort: 'oldest', after: cursorOf(at) });

    expect(page.items.at(-1)?.email).toBe('at2@mail.example');
    expect(page.items.map(({ email }) => email)).not.toContain('at0@mail.example');
  },
);

test('erasing a person leaves nothing with which an undone deletion would bring them back', async () => {
  const person = await make.person();
  const id = await add(person.email, { userId: person.id });
  await api.change({ action: 'delete', ids: [id] });

  await eraseContacts(ctx, { userId: person.id });

  expect(await db.$count(contactBatchRows, eq(contactBatchRows.contactId, id))).toBe(0);
});

test('previews of files of contacts have a limit', async () => {
  const { contactImports } = owner.api;
  const calls = Array.from({ length: RATE_LIMITS.previewContacts.points }, () =>
    contactImports.preview({ contactsKey: 'unknown' }).catch(() => {}),
  );
  await Promise.all(calls);

  await expect(contactImports.preview({ contactsKey: 'unknown' })).toFailWith('common.too_many_requests');
});
