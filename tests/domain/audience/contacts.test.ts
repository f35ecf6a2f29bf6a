import { and, asc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { contactConsents, contactSources, contacts, contactTags } from '~/db/schema/audience';
import { subscriptions } from '~/db/schema/billing';
import { checkouts } from '~/db/schema/checkouts';
import { creatorPlans } from '~/db/schema/plans';
import { DAYS, later } from '~/server/base/time';
import { grantAccess } from '~/server/domain/access/grant-access';
import { keepListener } from '~/server/domain/audience/keep-contact';
import { leaveLink, leaveNewsletter } from '~/server/domain/audience/leave-newsletter';
import { suppressionOf } from '~/server/domain/audience/suppressions';
import { undoContactChange } from '~/server/domain/audience/undo-contact-change';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import '../../support/matchers';
import { cast } from '../../support/cast';
import { runJobs } from '../../support/run-jobs';

const { runtime, make, ctxOf, visitorCtx, paidPodcast, lucia, ada, clock } = await cast();
const { db } = runtime;
await runJobs(runtime, 'audience.keep-listener', async () => {});
const owner = await make.creator();
const { creatorId } = owner;
const api = owner.api.contacts;
const day = (n: number) => later(clock.now, DAYS(n));

/** Numbered contacts of the owner, the first one the newest. */
const fill = (count: number, over: Partial<typeof contacts.$inferInsert> = {}) => {
  const base = { creatorId, source: 'form', language: 'en', status: 'active' } as const;
  const rows = Array.from({ length: count }, (_, i) => ({
    ...base,
    email: `fan${String(i).padStart(3, '0')}@mail.example`,
    since: day(-Math.floor(i / 2)),
    ...over,
  }));
  return db.insert(contacts).values(rows).returning({ id: contacts.id, email: contacts.email });
};
const emailsOf = (items: { email: string }[]) => items.map(({ email }) => email);
const agreed = { hasAgreed: true } as never as { hasAgreed: string };
const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);
async function leave(email: string) {
  const { url } = leaveLink(visitorCtx(), { creatorId, email }, 'en');
  await leaveNewsletter(visitorCtx({ now: day(0.5) }), { token: new URL(url).searchParams.get('list')! });
}

test('the list goes forwards and backwards in every order, with equal values on the edge of a page', async () => {
  const rows = await fill(103);

  for (const sort of ['newest', 'oldest', 'name', 'email'] as const) {
    const first = await api.list({ sort });
    const second = await api.list({ sort, after: first.after! });
    const third = await api.list({ sort, after: second.after! });
    const back = await api.list({ sort, before: third.before! });
    const start = await api.list({ sort, before: back.before! });

    expect([first.before, third.after, third.items.length, start.before]).toEqual([null, null, 3, null]);
    expect(new Set([first, second, third].flatMap(({ items }) => emailsOf(items))).size).toBe(rows.length);
    expect(emailsOf(back.items)).toEqual(emailsOf(second.items));
    expect(emailsOf(start.items)).toEqual(emailsOf(first.items));
    expect(first.found).toEqual({ count: 103, isMore: false });
  }
  expect(emailsOf((await api.list({ sort: 'email' })).items).slice(0, 2)).toEqual([
    'fan000@mail.example',
    'fan001@mail.example',
  ]);
  expect((await api.list({ after: 'nonsense' })).items).toHaveLength(50);
  await db.delete(contacts).where(eq(contacts.creatorId, creatorId));
});

test('filters by words, status, tag, source and day find the right contacts, and no other creator’s', async () => {
  const [ana] = await fill(1, { email: 'ana@mail.example', name: 'Ana 100%', since: day(-100) });
  await fill(1, { email: 'left@mail.example', status: 'inactive', inactiveAs: 'bounced' });
  await fill(1, { email: 'asked@mail.example', status: 'pending' });
  await fill(1, { email: 'ana@other.example', creatorId: ada.creatorId });
  await db.insert(contactSources).values({ contactId: ana!.id, creatorId, source: 'donation' });
  await api.change({ action: 'tag', ids: [ana!.id], tag: 'Fiel' });
  const found = async (filter: Parameters<typeof api.list>[0]) =>
    emailsOf((await api.list({ sort: 'email', ...filter })).items);

  expect(await found({ search: 'AN' })).toEqual(['ana@mail.example']);
  expect(await found({ search: '0%' })).toEqual(['ana@mail.example']);
  expect(await found({ search: '_' })).toEqual([]);
  expect(await found({ status: 'active' })).toEqual(['ana@mail.example']);
  expect(await found({ status: 'inactive' })).toEqual(['asked@mail.example', 'left@mail.example']);
  expect(await found({ status: 'pending' })).toEqual(['asked@mail.example']);
  expect(await found({ status: 'bounced' })).toEqual(['left@mail.example']);
  expect(await found({ status: 'unsubscribed' })).toEqual([]);
  expect(await found({ tag: 'FIEL' })).toEqual(['ana@mail.example']);
  expect(await found({ tag: 'unknown' })).toEqual([]);
  expect(await found({ source: 'donation' })).toEqual(['ana@mail.example']);
  expect(await found({ since: '2026-01-01' })).toEqual(['asked@mail.example', 'left@mail.example']);
  await db.delete(contacts).where(eq(contacts.creatorId, creatorId));
});

test('a buyer is found by show and state, with the months as a subscriber and what they bought', async () => {
  const reader = await make.person({ name: 'Nora' });
  const key = { userId: reader.id, productId: paidPodcast.id, source: 'subscription' as const };
  await transact(systemCtx(runtime, 'test'), (tx) => grantAccess(tx, { ...key, endsAt: day(30), renews: true }));
  await runJobs(runtime, 'audience.keep-listener', (job, ctx) => keepListener(ctx, job));
  const money = { priceMinor: 500, currency: 'eur', every: 'month', purpose: 'show', status: 'active' } as const;
  const of = { userId: reader.id, creatorId: lucia.creatorId, productId: paidPodcast.id };
  const checkout = {
    purpose: 'show',
    status: 'settled',
    terms: {} as never,
    language: 'es',
    expiresAt: day(1),
  } as const;
  const checkoutId = crypto.randomUUID();
  await db.insert(checkouts).values({ ...of, ...checkout, id: checkoutId });
  const provider = { providerId: 'sub_1', customerId: 'cus_1', checkoutId, syncedAt: day(0) };
  const times = { startedAt: day(-100), periodStart: day(-1), periodEnd: day(30) };
  await db.insert(subscriptions).values({ ...of, ...money, ...provider, ...times } as never);
  const { slug } = paidPodcast;

  const { items } = await lucia.api.contacts.list({ show: slug, subscription: 'subscribed' });
  expect(items).toMatchObject([{ name: 'Nora', months: 3, sources: ['subscription'], state: 'active' }]);
  expect((await lucia.api.contacts.list({ show: slug, subscription: 'ended' })).items).toEqual([]);
  expect((await lucia.api.contacts.list({ show: 'nothing' })).items).toEqual([]);
  const page = await lucia.api.contacts.get({ id: items[0]!.id });
  expect(page).toMatchObject({
    shows: [{ name: paidPodcast.name, state: 'subscribed' }],
    sources: [{ source: 'subscription' }],
  });
  await expect(api.get({ id: items[0]!.id })).toFailWith('audience.contact_not_found');
});

test('a contact is added by hand with its tags and the declaration, once, and within the plan', async () => {
  const { id } = await api.add({ email: ' Nora@Mail.Example ', name: 'Nora', tags: 'VIP, Madrid,vip', ...agreed });
  await expect(api.add({ email: 'nora@mail.example', ...agreed })).toFailWith('audience.contact_exists');
  await api.update({ id, name: 'Nora R.', tags: ['madrid'] });
  await leave('gone@mail.example');
  await expect(api.add({ email: 'gone@mail.example', ...agreed })).toFailWith('audience.address_suppressed');

  const { contact, consents } = await api.get({ id });
  expect(contact).toMatchObject({ email: 'nora@mail.example', name: 'Nora R.', tags: ['Madrid'], sources: ['manual'] });
  expect(consents).toMatchObject([{ source: 'manual', at: clock.now, text: expect.stringContaining('agreed') }]);
  await db.update(creatorPlans).set({ plan: 'FREE' }).where(eq(creatorPlans.creatorId, creatorId));
  const rest = Array.from({ length: 10_000 }, (_, i) => ({
    ...{ creatorId, email: `n${i}@full.example`, source: 'import', status: 'active', language: 'en' },
  }));
  for (let i = 0; i < rest.length; i += 2500) await db.insert(contacts).values(rest.slice(i, i + 2500) as never);
  await expect(api.add({ email: 'more@mail.example', ...agreed })).toFailWith('plan.max_contacts');
  expect((await api.list({})).found).toEqual({ count: 10_000, isMore: true });
  await db.delete(contacts).where(eq(contacts.creatorId, creatorId));
});

test('tags are given and taken in bulk, once for each spelling, and undone exactly', async () => {
  const rows = await fill(3);
  const tagged = async (tag: string) => (await api.list({ tag })).items.length;
  await api.change({ action: 'tag', ids: [rows[0]!.id], tag: 'Beta' });

  const { batchId, changed } = await api.change({ action: 'tag', ids: ids(rows), tag: 'beta' });
  expect([changed, await tagged('Beta')]).toEqual([2, 3]);
  expect(await db.$count(contactTags, and(eq(contactTags.creatorId, creatorId), eq(contactTags.name, 'beta')))).toBe(0);
  await api.undoChange({ batchId: batchId! });
  expect(await tagged('Beta')).toBe(1);
  const untagged = await api.change({ action: 'untag', ids: ids(rows), tag: 'BETA' });
  expect([untagged.changed, await tagged('Beta')]).toEqual([1, 0]);
  await api.undoChange({ batchId: untagged.batchId! });
  expect(await tagged('Beta')).toBe(1);
  expect(await api.change({ action: 'untag', ids: ids(rows), tag: 'unknown' })).toEqual({ batchId: null, changed: 0 });
  await db.delete(contacts).where(eq(contacts.creatorId, creatorId));
});

test('a deletion is undone with everything, once, within a day and by nobody else', async () => {
  const [kept] = await fill(1, { email: 'kept@mail.example', name: 'Ñandú "=1+1"' });
  await api.change({ action: 'tag', ids: [kept!.id], tag: 'Gamma' });
  await db.insert(contactSources).values({ contactId: kept!.id, creatorId, source: 'form', createdAt: day(-3) });
  const consent = { contactId: kept!.id, source: 'form', text: 'Yes', givenAt: day(-3) } as const;
  await db.insert(contactConsents).values(consent);
  const before = await api.get({ id: kept!.id });

  const { batchId } = await api.change({ action: 'delete', ids: [kept!.id] });
  await expect(api.get({ id: kept!.id })).toFailWith('audience.contact_not_found');
  expect(await db.$count(contactSources, eq(contactSources.contactId, kept!.id))).toBe(0);
  expect(await db.$count(contactConsents, eq(contactConsents.contactId, kept!.id))).toBe(0);
  await expect(ada.api.contacts.undoChange({ batchId: batchId! })).toFailWith('audience.change_not_found');
  const late = { ...ctxOf(owner), now: () => day(2) };
  await expect(undoContactChange(late, { batchId: batchId! })).toFailWith('audience.change_not_found');
  await api.undoChange({ batchId: batchId! });

  expect(await api.get({ id: kept!.id })).toEqual(before);
  await expect(api.undoChange({ batchId: batchId! })).toFailWith('audience.change_not_found');
  await db.delete(contacts).where(eq(contacts.creatorId, creatorId));
});

test('who leaves while deleted or deactivated is not brought back, and only the team’s own change is', async () => {
  const rows = await fill(3);
  const states = async () => {
    const { status, statusReason } = contacts;
    const found = await db
      .select({ status, statusReason })
      .from(contacts)
      .where(eq(contacts.creatorId, creatorId))
      .orderBy(asc(contacts.email));
    return found.map((row) => `${row.status} ${row.statusReason}`);
  };
  const deactivated = await api.change({ action: 'deactivate', ids: ids(rows.slice(0, 2)) });
  await leave(rows[0]!.email);
  expect(await api.change({ action: 'activate', ids: ids(rows) })).toMatchObject({ changed: 1 });
  expect(await states()).toEqual(['inactive link', 'active creator', 'active form']);
  await api.undoChange({ batchId: deactivated.batchId! });
  expect(await states()).toEqual(['inactive link', 'active creator', 'active form']);

  const deleted = await api.change({ action: 'delete', ids: ids(rows) });
  expect(await suppressionOf({ db }, { creatorId, email: rows[0]!.email })).toBe('unsubscribed');
  await leave(rows[2]!.email);
  await api.undoChange({ batchId: deleted.batchId! });

  expect(await states()).toEqual(['inactive link', 'active creator', 'inactive suppressed']);
  await db.delete(contacts).where(eq(contacts.creatorId, creatorId));
});

test('segments have a name of their own, and the filter that was saved', async () => {
  const filter = { status: 'active', tag: 'VIP' } as const;
  const { id } = await api.saveSegment({ name: 'Fieles', filter });
  await expect(api.saveSegment({ name: 'FIELES', filter })).toFailWith('audience.segment_exists');

  expect((await api.list({})).segments).toEqual([{ id, name: 'Fieles', filter }]);
  await expect(ada.api.contacts.deleteSegment({ id })).toFailWith('audience.segment_not_found');
  await api.deleteSegment({ id });
  expect((await api.list({})).segments).toEqual([]);
});
