import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { contactConsents, contactSources, contacts, suppressions } from '~/db/schema/audience';
import { creators } from '~/db/schema/creators';
import { outbox } from '~/db/schema/notifications';
import { deleteDueAccount } from '~/jobs/handlers/deletion';
import { DAYS, later } from '~/server/base/time';
import { eraseContacts, sweepPending } from '~/server/domain/audience/erase-contacts';
import { confirmJoin, joinNewsletter, queueJoinLink } from '~/server/domain/audience/join-newsletter';
import { leaveLink, leaveNewsletter } from '~/server/domain/audience/leave-newsletter';
import { suppressionOf } from '~/server/domain/audience/suppressions';
import { addressToken } from '~/server/domain/notifications/address-links';
import { unsubscribeLink } from '~/server/domain/notifications/unsubscribe';
import { NEWSLETTER_LIMITS } from '~/server/limits/audience';
import '../support/matchers';
import { cast } from '../support/cast';
import { isDeep } from '../support/deep';
import { type Creator, PASSWORD } from '../support/make';
import { pagesApp } from '../support/pages-app';
import { runJobs } from '../support/run-jobs';

const { runtime, env, clock, visitorCtx, lucia, ada, tom, make, podcast } = await cast({
  settings: { CREATOR_URLS: 'path' },
});
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
const rules = { hosts: { ...env.urls, allowsUnprefixedHosts: true, trustProxy: true }, trustedProxies: 1 };
const behindProxy = pagesApp(runtime, env.urls, { rules });
const dayLater = later(clock.now, NEWSLETTER_LIMITS.window);
const showForms = () => db.update(creators).set({ showNewsletter: true });
await showForms();

const sendLinks = (now = clock.now) =>
  runJobs(runtime, 'audience.send-join-link', (job, ctx) => queueJoinLink({ ...ctx, now: () => now }, job));
const ask = (email: string, { domain }: Creator = lucia, now = clock.now) =>
  joinNewsletter(visitorCtx({ now }), { domain, email, website: '' });
const emailsTo = (to: string) =>
  db
    .select()
    .from(outbox)
    .where(and(eq(outbox.to, to), eq(outbox.topic, 'join_newsletter')))
    .orderBy(outbox.createdAt);
const linkIn = ({ text }: { text: string }) => /http\S+join-newsletter\?token=\S+/.exec(text)![0];
const tokenOf = (link: string) => new URL(link).searchParams.get('token')!;
const confirm = (token: string, now = clock.now) => confirmJoin(visitorCtx({ now }), { token });
const post = (url: string, body: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  app.request(url, { method: 'POST', body: new URLSearchParams(body), headers });

async function statusOf(email: string, { creatorId }: Creator = lucia) {
  const [row] = await db
    .select({ status: contacts.status })
    .from(contacts)
    .where(and(eq(contacts.creatorId, creatorId), eq(contacts.email, email)));
  return row?.status ?? null;
}

/** Sends the form and returns the token of the newest email to the address. */
async function tokenFor(email: string, creator = lucia, now = clock.now) {
  await ask(email, creator, now);
  await sendLinks(now);
  return tokenOf(linkIn((await emailsTo(email)).at(-1)!));
}

test.each([
  ['/en', 'Check your inbox', 'You’ll get the newsletter', 'Confirm that you want'],
  ['/es', 'Revisa tu correo', 'Recibirás el boletín', 'Confirma que quieres'],
])(
  'without JavaScript, the form of the page (%s) leads to an email, and its button to the list',
  async (prefix, sent, done, subject) => {
    const email = `reader${prefix.slice(1)}@mail.example`;
    const page = `${env.urls.appUrl}${prefix}/@${lucia.domain}`;
    const form = /<form[^>]*action="([^"]*newsletter-form)"[^>]*>.*?<\/form>/s.exec(
      await (await app.request(page)).text(),
    )!;
    expect(form[0]).toMatch(/<input[^>]*type="email"[^>]*name="email"/);

    const answer = await post(env.urls.appUrl + form[1], { email: ` ${email.toUpperCase()} ` });
    await sendLinks();
    const [mail, ...others] = await emailsTo(email);
    const before = await statusOf(email);
    const opened = await app.request(linkIn(mail!));
    const afterOpening = await statusOf(email);
    const confirmed = await post(linkIn(mail!));

    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining(sent)]);
    expect(others).toEqual([]);
    expect(mail!.subject).toContain(subject);
    expect([before, afterOpening]).toEqual(['pending', 'pending']);
    expect([opened.status, await opened.text()]).toEqual([200, expect.stringContaining(email)]);
    expect([confirmed.status, await confirmed.text()]).toEqual([200, expect.stringContaining(done)]);
    expect(await statusOf(email)).toBe('active');
  },
);

test('the answer is the same for an unknown, a pending, an active and an unsubscribed address, and for an account', async () => {
  const [pending, active, inactive] = ['pending@mail.example', 'active@mail.example', 'left@mail.example'];
  for (const email of [pending, active, inactive]) await tokenFor(email);
  await db.update(contacts).set({ status: 'active' }).where(eq(contacts.email, active));
  await db.update(contacts).set({ status: 'inactive' }).where(eq(contacts.email, inactive));
  const form = `${env.urls.appUrl}/@${ada.domain}/newsletter-form`;

  const answers: { status: number; length: number; cookies: string[] }[] = [];
  for (const email of ['nobody@mail.example', pending, active, inactive, tom.email]) {
    const response = await post(form, { email });
    const html = (await response.text()).replaceAll(email, '').replace(/nonce="[^"]*"/g, '');
    answers.push({ status: response.status, length: html.length, cookies: response.headers.getSetCookie() });
  }

  expect(answers).toEqual(answers.map(() => answers[0]));
  expect(answers[0]).toMatchObject({ status: 200, cookies: [] });
  await sendLinks();
  for (const email of [active, inactive]) expect(await statusOf(email)).toBe(email === active ? 'active' : 'inactive');
});

test('an address that has left comes back only with a link that is newer than that', async () => {
  const email = 'back@mail.example';
  const first = await tokenFor(email);
  await confirm(first);
  const hourLater = later(clock.now, DAYS(1) / 24);
  const list = new URL(leaveLink(visitorCtx(), { creatorId: lucia.creatorId, email }, 'en').url).searchParams;

  for (let i = 0; i < 2; i += 1) await leaveNewsletter(visitorCtx({ now: hourLater }), { token: list.get('list')! });
  expect(await statusOf(email)).toBe('inactive');
  await expect(confirm(first, hourLater)).toFailWith('audience.join_link_expired');
  const second = await tokenFor(email, lucia, dayLater);
  expect(await statusOf(email)).toBe('inactive');
  for (let i = 0; i < 2; i += 1) await confirm(second, dayLater);

  expect(await statusOf(email)).toBe('active');
  expect(await db.$count(contacts, eq(contacts.email, email))).toBe(1);
});

test('no forged, moved, expired or foreign link adds an address', async () => {
  const email = 'victim@mail.example';
  const token = await tokenFor(email);
  const [name = '', signature = ''] = token.split('.');
  const claim = { email, id: ada.creatorId, issuedAt: clock.now };
  const otherName = addressToken(visitorCtx(), claim, 'something else').split('.')[0];
  const episodes = unsubscribeLink(visitorCtx(), { email, productId: podcast.id }, 'en').url;
  const leave = leaveLink(visitorCtx(), { creatorId: lucia.creatorId, email }, 'en').url;
  const foreign = [
    `${otherName}.${signature}`,
    `${name}.${signature.slice(1)}`,
    `${name}.`,
    name,
    '',
    '.',
    addressToken(visitorCtx(), { ...claim, id: lucia.creatorId }, 'something else'),
    new URL(episodes).searchParams.get('token')!,
    new URL(leave).searchParams.get('list')!,
    addressToken(visitorCtx(), { ...claim, email: 'never@mail.example' }, 'join a newsletter'),
  ];

  for (const each of foreign) await expect(confirm(each), each).toFailWith('audience.join_link_expired');
  const late = later(clock.now, NEWSLETTER_LIMITS.linkLifetime + 1);
  await expect(confirm(token, late)).toFailWith('audience.join_link_expired');

  for (const creator of [lucia, ada]) expect(await statusOf(email, creator)).not.toBe('active');
  expect((await app.request(`${env.urls.appUrl}/join-newsletter?token=${foreign[0]}`)).status).toBe(200);
});

test('every email has a link, and mail programs a button, that end the emails of this creator only', async () => {
  const email = 'leaver@mail.example';
  await confirm(await tokenFor(email));
  // emails of the same moment have no order
  await confirm(await tokenFor(email, ada, later(clock.now, 1)));
  const [mail] = await emailsTo(email);
  const link = /^<(.+)>$/.exec(mail!.headers!['List-Unsubscribe']!)![1]!;
  expect(mail!.text).toContain(link);

  const page = await app.request(link);
  const isStillActive = await statusOf(email);
  // without cookies and Origin, as email apps do
  const ended = await post(link, { 'List-Unsubscribe': 'One-Click' });

  expect([page.status, isStillActive, ended.status]).toEqual([200, 'active', 200]);
  expect(await page.text()).toContain(email);
  expect([await statusOf(email), await statusOf(email, ada)]).toEqual(['inactive', 'active']);
  const moved = link.replace(/list=[^.]+/, `list=${Buffer.from(`${ada.creatorId} ${email}`).toString('base64url')}`);
  expect((await post(moved)).status).toBe(400);
  expect(await statusOf(email, ada)).toBe('active');
});

// each network has a limit of its own, so more of them show nothing else
const NETWORKS = isDeep ? 1000 : 50;

test(`an address gets one email a day about a newsletter, and three about all of them, also from ${NETWORKS} networks`, async () => {
  const email = 'bombed@mail.example';
  const creators = [lucia, ada, ...(await Promise.all(Array.from({ length: 3 }, () => make.creator())))];
  await showForms();
  const askFrom = async (network: number) => {
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-for': `2001:db8:${network.toString(16)}::1`,
    };
    const body = JSON.stringify({ json: { domain: creators[network % creators.length]!.domain, email } });
    const url = `${env.urls.appUrl}/trpc/audience.joinNewsletter`;
    return (await behindProxy.request(url, { method: 'POST', body, headers })).status;
  };

  const statuses = new Set<number>();
  for (let i = 0; i < NETWORKS; i += 10)
    for (const status of await Promise.all(Array.from({ length: 10 }, (_, j) => askFrom(i + j)))) statuses.add(status);
  while ((await sendLinks()) > 0);
  const sent = await emailsTo(email);
  await ask(email, lucia, later(dayLater, 1));
  await sendLinks(later(dayLater, 1));

  expect([...statuses]).toEqual([200]);
  expect(sent).toHaveLength(NEWSLETTER_LIMITS.perWindow);
  expect(new Set(sent.map(({ creatorId }) => creatorId)).size).toBe(sent.length);
  expect(await emailsTo(email)).toHaveLength(sent.length + 1);
});

test('bots get the answer of people, and cause no email', async () => {
  const url = `${env.urls.appUrl}/@${lucia.domain}/newsletter-form`;
  const forms = [
    { website: '', openFor: '' },
    { website: '', openFor: String(NEWSLETTER_LIMITS.fastest) },
    { website: 'https://spam.example', openFor: '' },
    { website: '', openFor: String(NEWSLETTER_LIMITS.fastest - 1) },
  ];

  const answers: [number, number][] = [];
  for (const [i, form] of forms.entries()) {
    const body = new URLSearchParams({ email: `sign${i}@mail.example`, ...form });
    const answer = await behindProxy.request(url, {
      method: 'POST',
      body,
      headers: { 'x-forwarded-for': '192.0.2.9' },
    });
    answers.push([answer.status, (await answer.text()).replace(/nonce="[^"]*"/g, '').length]);
  }
  await sendLinks();

  expect(answers).toEqual(answers.map(() => answers[0]));
  const counts = await Promise.all(forms.map(async (_, i) => (await emailsTo(`sign${i}@mail.example`)).length));
  expect(counts).toEqual([1, 1, 0, 0]);
});

test('the form cannot flood many addresses from one network', async () => {
  const url = `${env.urls.appUrl}/@${lucia.domain}/newsletter-form`;
  const statuses: number[] = [];
  for (let i = 0; i < 30; i += 1) statuses.push((await post(url, { email: `many${i}@mail.example` })).status);

  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(10);
  expect(statuses.at(-1)).toBe(429);
});

test('another site cannot send the form, and a hidden form accepts no address', async () => {
  const { creatorId, domain } = await make.creator();
  const url = `${env.urls.appUrl}/@${domain}/newsletter-form`;
  const evil = await post(url, { email: 'a@mail.example' }, { origin: 'https://evil.example' });
  await db.update(creators).set({ showNewsletter: false }).where(eq(creators.id, creatorId));
  const page = await app.request(`${env.urls.appUrl}/@${domain}`);

  expect(evil.status).toBe(403);
  expect(await page.text()).not.toContain('newsletter-form');
  expect((await app.request(url)).status).toBe(404);
  await expect(joinNewsletter(visitorCtx(), { domain, email: 'a@mail.example', website: '' })).toFailWith(
    'audience.newsletter_not_found',
  );
});

test('an unconfirmed address is deleted after its link has expired', async () => {
  const email = 'never-confirmed@mail.example';
  const ctxAt = (ms: number) => visitorCtx({ now: later(clock.now, ms) });
  await tokenFor(email);
  await confirm(await tokenFor('confirmed@mail.example'));

  await sweepPending(ctxAt(NEWSLETTER_LIMITS.linkLifetime - 1));
  expect(await statusOf(email)).toBe('pending');
  await sweepPending(ctxAt(NEWSLETTER_LIMITS.linkLifetime + 1));

  expect([await statusOf(email), await statusOf('confirmed@mail.example')]).toEqual([null, 'active']);
});

test('an unsubscribed address stays suppressed after its contact is deleted, until its owner signs up again', async () => {
  const reader = await make.creator();
  await confirm(await tokenFor(reader.email));
  const { creatorId } = lucia;
  const { url } = leaveLink(visitorCtx(), { creatorId, email: reader.email }, 'en');
  const leave = () => leaveNewsletter(visitorCtx(), { token: new URL(url).searchParams.get('list')! });
  const suppressed = () => db.select().from(suppressions).orderBy(suppressions.addressDigest);
  const known = { creatorId, email: reader.email };

  for (let i = 0; i < 2; i += 1) await leave();
  expect([
    await suppressionOf({ db }, known),
    await suppressionOf({ db }, { ...known, creatorId: ada.creatorId }),
  ]).toEqual(['unsubscribed', null]);
  await eraseContacts(visitorCtx(), { userId: reader.id });
  expect(await statusOf(reader.email)).toBeNull();
  expect(await suppressionOf({ db }, known)).toBe('unsubscribed');
  expect(JSON.stringify(await suppressed())).not.toContain(reader.email);
  const before = (await suppressed()).length;
  await confirm(await tokenFor(reader.email, lucia, dayLater), dayLater);

  expect([await statusOf(reader.email), await suppressionOf({ db }, known)]).toEqual(['active', null]);
  expect(await suppressed()).toHaveLength(before - 1);
});

test('a confirmed address has its source and what its person agreed to, once', async () => {
  const email = 'agrees@mail.example';
  const token = await tokenFor(email);
  for (let i = 0; i < 2; i += 1) await confirm(token);

  const [contact] = await db.select().from(contacts).where(eq(contacts.email, email));
  const of = contact!.id;
  expect(contact).toMatchObject({ status: 'active', statusReason: 'form', statusAt: clock.now });
  const isIts = { sources: eq(contactSources.contactId, of), consents: eq(contactConsents.contactId, of) };
  expect(await db.select().from(contactSources).where(isIts.sources).orderBy(contactSources.source)).toMatchObject([
    { source: 'form', creatorId: lucia.creatorId },
  ]);
  expect(await db.select().from(contactConsents).where(isIts.consents).orderBy(contactConsents.givenAt)).toMatchObject([
    { source: 'form', givenAt: clock.now, text: expect.stringContaining(email) },
  ]);
});

test('with an account go its contacts, and its address in the lists of others', async () => {
  const leaving = await make.creator();
  await showForms();
  await confirm(await tokenFor('fan@mail.example', leaving));
  await confirm(await tokenFor(leaving.email));
  const token = await tokenFor('late@mail.example', leaving);
  await leaving.api.accounts.requestDeletion({ currentPassword: PASSWORD });
  const due = visitorCtx({ now: later(clock.now, DAYS(2)) });

  await deleteDueAccount(due, { userId: leaving.id });

  expect(await db.$count(contacts, eq(contacts.creatorId, leaving.creatorId))).toBe(0);
  expect(await statusOf(leaving.email)).toBeNull();
  await expect(confirm(token)).toFailWith('audience.join_link_expired');
});
