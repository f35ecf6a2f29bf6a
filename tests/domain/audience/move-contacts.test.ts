import { and, asc, eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { contactFormerAddresses, contactSources, contacts } from '~/db/schema/audience';
import { keepContact } from '~/server/domain/audience/keep-contact';
import { leaveLink, leaveNewsletter } from '~/server/domain/audience/leave-newsletter';
import { moveContacts } from '~/server/domain/audience/move-contacts';
import { moveSeries } from '~/server/domain/newsletter/move-series';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';

const { runtime, make, visitorCtx, lucia } = await cast();
const { db } = runtime;
const ctx = systemCtx(runtime, 'test');
const { creatorId } = lucia;

type Person = Awaited<ReturnType<typeof make.person>>;
let person: Person;
let moved: string;

const keep = (email: string, source: 'purchase' | 'donation', userId: number | null) =>
  transact(ctx, (tx) => keepContact(tx, { creatorId, email, name: 'Nora', userId, language: 'es', source }));
const leave = (email: string) => {
  const token = new URL(leaveLink(ctx, { creatorId, email }, 'es').url).searchParams.get('list')!;
  return leaveNewsletter(visitorCtx(), { token });
};
const listed = () =>
  db
    .select({ email: contacts.email, status: contacts.status, as: contacts.inactiveAs })
    .from(contacts)
    .where(and(eq(contacts.creatorId, creatorId), eq(contacts.userId, person.id)))
    .orderBy(asc(contacts.id));

async function changeAddress() {
  await db.update(users).set({ email: moved }).where(eq(users.id, person.id));
  await moveContacts(ctx, { userId: person.id }, moveSeries);
}

beforeEach(async () => {
  person = await make.person();
  moved = `new-${person.email}`;
  await keep(person.email, 'purchase', person.id);
});

test('a contact goes along to the new address of its account', async () => {
  await changeAddress();
  await moveContacts(ctx, { userId: person.id }, moveSeries);

  expect(await listed()).toEqual([{ email: moved, status: 'active', as: null }]);
});

test('whoever has left stays away under the new address, also if the contact was deleted', async () => {
  await leave(person.email);
  await changeAddress();
  expect(await listed()).toEqual([{ email: moved, status: 'inactive', as: 'unsubscribed' }]);

  await db.delete(contacts).where(eq(contacts.email, moved));
  await keep(moved, 'donation', person.id);
  expect(await listed()).toEqual([{ email: moved, status: 'inactive', as: 'unsubscribed' }]);
});

test('an address that bounced says nothing about the new one', async () => {
  await db
    .update(contacts)
    .set({ status: 'inactive', inactiveAs: 'bounced', statusReason: 'bounce' })
    .where(eq(contacts.email, person.email));

  await changeAddress();

  expect(await listed()).toEqual([{ email: moved, status: 'active', as: null }]);
});

test('two contacts of one person become one, which has the sources of both, and is inactive if one has left', async () => {
  await keep(moved, 'donation', null);
  await leave(person.email);

  await changeAddress();

  expect(await listed()).toEqual([{ email: moved, status: 'inactive', as: 'unsubscribed' }]);
  const sources = await db
    .select({ source: contactSources.source })
    .from(contactSources)
    .innerJoin(contacts, eq(contacts.id, contactSources.contactId))
    .where(eq(contacts.email, moved))
    .orderBy(asc(contactSources.source));
  expect(sources.map(({ source }) => source)).toEqual(['donation', 'purchase']);
});

test('a contact takes the place of one that waits for its confirmation under the new address', async () => {
  await db.insert(contacts).values({ creatorId, email: moved, source: 'form', language: 'es', status: 'pending' });

  await changeAddress();

  expect(await listed()).toEqual([{ email: moved, status: 'active', as: null }]);
});

test('a contact that the creator has deleted does not come back with a change of address', async () => {
  await db.delete(contacts).where(eq(contacts.email, person.email));

  await changeAddress();

  expect(await listed()).toEqual([]);
});

test('a link in an email to a contact that became a part of another one works after its deletion was undone', async () => {
  await keep(moved, 'donation', null);
  const isIts = (email: string) => and(eq(contacts.creatorId, creatorId), eq(contacts.email, email));
  const [former] = await db.select().from(contacts).where(isIts(person.email));
  await changeAddress();
  const [kept] = await db.select().from(contacts).where(isIts(moved));

  const { batchId } = await lucia.api.contacts.change({ action: 'delete', ids: [kept!.id] } as never);
  await lucia.api.contacts.undoChange({ batchId } as never);

  expect(await db.$count(contactFormerAddresses, eq(contactFormerAddresses.contactId, kept!.id))).toBe(1);
  const link = new URL(leaveLink(ctx, { creatorId, email: person.email, id: former!.id }, 'es').url);
  await leaveNewsletter(visitorCtx(), { token: link.searchParams.get('list')! });
  expect(await listed()).toEqual([{ email: moved, status: 'inactive', as: 'unsubscribed' }]);
});
