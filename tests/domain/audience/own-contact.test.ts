import { and, asc, eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { contactBatches, contactBatchRows, contacts, trackingConsents } from '~/db/schema/audience';
import { automationEnrolments, automations } from '~/db/schema/automations';
import { messageOptOuts } from '~/db/schema/buyers';
import { editionRecipients, editions } from '~/db/schema/newsletter';
import { episodeEmailOptOuts, outbox } from '~/db/schema/notifications';
import { later, MINUTES } from '~/server/base/time';
import { grantAccess } from '~/server/domain/access/grant-access';
import { keepContact } from '~/server/domain/audience/keep-contact';
import { leaveLink } from '~/server/domain/audience/leave-newsletter';
import { moveContacts } from '~/server/domain/audience/move-contacts';
import { suppressionOf } from '~/server/domain/audience/suppressions';
import { stopMessagesTo } from '~/server/domain/billing/buyers/stop-messages';
import { moveSeries } from '~/server/domain/newsletter/move-series';
import { signToken } from '~/server/domain/notifications/signed-tokens';
import { unsubscribeLink } from '~/server/domain/notifications/unsubscribe';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import '../../support/matchers';
import { cast } from '../../support/cast';
import { pagesApp } from '../../support/pages-app';
import { runJobs } from '../../support/run-jobs';

const { runtime, env, make, visitorCtx, lucia, ada, podcast, paidPodcast, clock } = await cast();
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
const ctx = systemCtx(runtime, 'test');
const { creatorId } = lucia;
await runJobs(runtime, 'audience.keep-listener', async () => {});

type Person = Awaited<ReturnType<typeof make.person>>;
let person: Person;
let id: number;
let link: string;

const keep = (email: string, userId: number | null, of = creatorId) =>
  transact(ctx, (tx) =>
    keepContact(tx, { creatorId: of, email, name: 'Nora', userId, language: 'en', source: 'donation' }),
  );
const contactOf = async (email: string, of = creatorId) =>
  (
    await db
      .select()
      .from(contacts)
      .where(and(eq(contacts.creatorId, of), eq(contacts.email, email)))
  )[0] ?? null;
const linkTo = (email: string, contactId: number | null = null) =>
  leaveLink(ctx, { creatorId, email, id: contactId }, 'en').url;
const open = async (url: string) => {
  const answer = await app.request(url);
  return { status: answer.status, html: (await answer.text()).replaceAll('<!-- -->', '') };
};
const post = async (url: string, body: Record<string, string>) => {
  const answer = await app.request(url, { method: 'POST', body: new URLSearchParams(body) });
  return { status: answer.status, html: (await answer.text()).replaceAll('<!-- -->', '') };
};
const dataOf = (url: string) => app.request(url.replace('/unsubscribe?', '/unsubscribe/data.json?'));
const optOuts = async (email: string) =>
  (
    await db
      .select({ productId: episodeEmailOptOuts.productId })
      .from(episodeEmailOptOuts)
      .where(eq(episodeEmailOptOuts.email, email))
      .orderBy(asc(episodeEmailOptOuts.productId))
  ).map(({ productId }) => productId);
const changeAddress = async (email: string) => {
  await db.update(users).set({ email }).where(eq(users.id, person.id));
  await moveContacts(ctx, { userId: person.id }, moveSeries);
};

beforeEach(async () => {
  person = await make.person();
  await db.update(users).set({ emailVerifiedAt: clock.now }).where(eq(users.id, person.id));
  await keep(person.email, person.id);
  await transact(ctx, async (tx) => {
    await grantAccess(tx, { userId: person.id, productId: podcast.id, source: 'follow' });
    await grantAccess(tx, { userId: person.id, productId: paidPodcast.id, source: 'gift' });
  });
  id = (await contactOf(person.email))!.id;
  link = linkTo(person.email, id);
});

test('the page names all that the person gets, in both languages, and opening it changes nothing', async () => {
  const before = [await contactOf(person.email), await optOuts(person.email)];

  const [english, spanish] = [await open(link), await open(link.replace('/en/', '/es/'))];
  const file = await dataOf(link);

  expect([english.status, spanish.status, file.status]).toEqual([200, 200, 200]);
  expect(english.html).toContain(person.email);
  for (const name of [podcast.name, paidPodcast.name]) expect(english.html).toContain(`New episodes of “${name}”`);
  expect(english.html).not.toMatch(/<input[^>]*isTracked[^>]*checked/);
  expect(english.html).toContain('name="referrer" content="same-origin"');
  expect([await contactOf(person.email), await optOuts(person.email)]).toEqual(before);
});

test('the person stops one show and gets it again, also from the email about an episode', async () => {
  const fromEpisode = unsubscribeLink(ctx, { email: person.email, productId: podcast.id }, 'en').url;
  const choose = (url: string, wants: boolean, productId = podcast.id) =>
    post(url, { intent: 'show', productId: String(productId), wants: String(wants) });

  const stopped = await choose(link, false);
  expect(stopped.html).toContain('Get them again');
  expect(await optOuts(person.email)).toEqual([podcast.id]);
  await choose(fromEpisode, true);
  expect(await optOuts(person.email)).toEqual([]);
  const oneClick = await post(fromEpisode, { 'List-Unsubscribe': 'One-Click' });
  const elsewhere = await choose(link, false, (await make.product(ada, {})).id);

  expect([oneClick.status, elsewhere.status]).toEqual([200, 404]);
  expect(await optOuts(person.email)).toEqual([podcast.id]);
  expect((await contactOf(person.email))!.status).toBe('active');
});

test('one button ends the newsletter, new episodes and messages of this creator only', async () => {
  await keep(person.email, person.id, ada.creatorId);
  await keep(person.email, person.id, ada.creatorId);

  for (let i = 0; i < 2; i += 1) expect((await post(link, { intent: 'all' })).html).toContain('any more emails');
  await runJobs(runtime, 'billing.stop-messages', (pair, jobCtx) => stopMessagesTo(jobCtx, pair));

  expect(await contactOf(person.email)).toMatchObject({ status: 'inactive', statusReason: 'link' });
  expect(await contactOf(person.email, ada.creatorId)).toMatchObject({ status: 'active' });
  expect(await suppressionOf(ctx, { creatorId, email: person.email })).toBe('unsubscribed');
  expect(await optOuts(person.email)).toEqual([podcast.id, paidPodcast.id].sort((a, b) => a - b));
  expect(await db.$count(messageOptOuts, eq(messageOptOuts.userId, person.id))).toBe(1);
});

const consent = () => ({ contactId: id, givenAt: clock.now, text: 'She may see which emails I open' });

test('nobody is asked for a consent that nothing uses, and one that is in force ends when it is withdrawn', async () => {
  const save = (isTracked: boolean, url = link) =>
    post(url, { intent: 'save', language: 'es', ...(isTracked && { isTracked: 'on' }) });
  const rows = () =>
    db.select().from(trackingConsents).where(eq(trackingConsents.contactId, id)).orderBy(trackingConsents.givenAt);

  expect((await open(link)).html).not.toContain('name="isTracked"');
  await save(true);
  expect(await rows()).toEqual([]);
  await db.insert(trackingConsents).values(consent());
  await save(true);
  expect(await rows()).toEqual([expect.objectContaining({ ...consent(), withdrawnAt: null })]);
  expect((await open(link)).html).toMatch(/<input[^>]*isTracked[^>]*checked/);
  await save(false);

  expect(await rows()).toEqual([expect.objectContaining({ ...consent(), withdrawnAt: clock.now })]);
  expect((await contactOf(person.email))!.language).toBe('es');
});

test.each([
  ['goes along', false],
  ['becomes a part of the contact with the new one', true],
])('a link to a former address ends the emails when the contact %s, and tells nothing', async (_, isMerged) => {
  const moved = `moved-${person.email}`;
  if (isMerged) await keep(moved, null);
  await changeAddress(moved);

  const page = await open(link);
  const file = await dataOf(link);
  const refused = [
    await post(link, { intent: 'save', language: 'es', isTracked: 'on' }),
    await post(link, { intent: 'erase', hasConfirmed: 'on' }),
    await post(link, { intent: 'show', productId: String(podcast.id), wants: 'false' }),
  ];
  expect((await contactOf(moved))!.status).toBe('active');
  expect(page.html).not.toMatch(new RegExp(`${moved}|${podcast.name}`));
  const ended = await post(link, { intent: 'all' });

  expect([page.status, file.status, ended.status]).toEqual([200, 409, 200]);
  expect(refused.map(({ status }) => status)).toEqual([409, 409, 409]);
  expect(await contactOf(moved)).toMatchObject({ status: 'inactive', statusReason: 'link' });
  for (const email of [moved, person.email])
    expect(await suppressionOf(ctx, { creatorId, email })).toBe('unsubscribed');
});

test('links of before, which have no contact, still work', async () => {
  const token = signToken(ctx, `${creatorId} ${person.email}`, 'leave a newsletter');
  const old = link.replace(/list=.*/, `list=${token}`);

  expect((await open(old)).html).toContain(podcast.name);
  expect((await post(old, { 'List-Unsubscribe': 'One-Click' })).status).toBe(200);

  expect(await contactOf(person.email)).toMatchObject({ status: 'inactive', statusReason: 'link' });
});

test('the file has what the creator holds about the person, and nothing of others', async () => {
  await db.insert(trackingConsents).values(consent());
  const texts = { creatorId, slug: null, startedAt: clock.now } as const;
  const [got, missed] = await db
    .insert(editions)
    .values([
      { ...texts, title: 'Hello {{name|friend}}' },
      { ...texts, title: 'Not received' },
    ])
    .returning({ id: editions.id });
  const to = { contactId: id, pays: false, settledAt: new Date('2026-03-02T23:30:00Z') };
  await db.insert(editionRecipients).values([
    { ...to, editionId: got!.id, state: 'sent' },
    { ...to, editionId: missed!.id, state: 'bounced' },
  ]);
  const [automation] = await db
    .insert(automations)
    .values({ creatorId, name: 'Welcome', trigger: 'sign_up' })
    .returning({ id: automations.id });
  await db
    .insert(automationEnrolments)
    .values({ automationId: automation!.id, contactId: id, enrolledAt: clock.now, productId: podcast.id });
  await keep(person.email, person.id, ada.creatorId);

  const file = await dataOf(link);
  const data = await file.json();

  expect(file.headers.get('content-disposition')).toContain('my-data.json');
  expect(data).toMatchObject({ email: person.email, name: 'Nora', state: 'active', sources: [{ source: 'donation' }] });
  expect(data.tracking).toHaveLength(1);
  expect(data.editions).toEqual([{ title: 'Hello friend', sentOn: '2026-03-02' }]);
  expect(data.automations).toEqual([{ name: 'Welcome', since: clock.now.toISOString(), show: podcast.name }]);
  expect(data.shows.map(({ name }: { name: string }) => name).sort()).toEqual([podcast.name, paidPodcast.name].sort());
  expect(JSON.stringify(data)).not.toMatch(/creatorId|userId|"id"/);
});

test('a person has their data erased, and no old file brings them back', async () => {
  await keep(person.email, person.id, ada.creatorId);
  const change = { creatorId, action: 'delete', createdAt: clock.now } as const;
  const [batch] = await db.insert(contactBatches).values(change).returning({ id: contactBatches.id });
  await db.insert(contactBatchRows).values({ batchId: batch!.id, contactId: id, email: person.email, before: {} });

  const unconfirmed = await post(link, { intent: 'erase' });
  expect([unconfirmed.status, (await contactOf(person.email))?.id]).toEqual([400, id]);
  const erased = await post(link, { intent: 'erase', hasConfirmed: 'on' });
  const again = await post(link, { intent: 'erase', hasConfirmed: 'on' });

  expect([erased.status, again.status]).toEqual([200, 200]);
  expect(erased.html).toContain('Your data was erased');
  expect(await contactOf(person.email)).toBeNull();
  expect(await contactOf(person.email, ada.creatorId)).not.toBeNull();
  expect(await db.$count(contactBatchRows, eq(contactBatchRows.email, person.email))).toBe(0);
  expect(await db.$count(outbox, and(eq(outbox.to, person.email), eq(outbox.creatorId, creatorId)))).toBe(0);
  await keep(person.email, person.id);
  expect((await contactOf(person.email))!.status).toBe('inactive');
});

test('no forged or foreign link opens a page', async () => {
  const tokenOf = (url: string) => new URL(url).searchParams.get('list') ?? new URL(url).searchParams.get('token')!;
  const [text = '', signature = ''] = tokenOf(link).split('.');
  const ofOther = Buffer.from(`${ada.creatorId} ${id} ${person.email}`).toString('base64url');
  const episodes = tokenOf(unsubscribeLink(ctx, { email: person.email, productId: podcast.id }, 'en').url);
  const lists = [`${ofOther}.${signature}`, `${text}.`, text, '', '.', episodes];

  for (const list of lists) {
    const url = link.replace(/list=.*/, `list=${list}`);
    expect((await open(url)).html).toContain('This link is not complete');
    expect((await post(url, { intent: 'erase', hasConfirmed: 'on' })).status).toBe(400);
    expect((await dataOf(url)).status).toBe(400);
  }
  const wrong = link.replace('?list=', '?token=');
  expect((await post(wrong, { intent: 'all' })).status).toBe(400);
  const late = visitorCtx({ now: later(clock.now, MINUTES(1)) });
  expect(await suppressionOf(late, { creatorId, email: person.email })).toBeNull();
});
