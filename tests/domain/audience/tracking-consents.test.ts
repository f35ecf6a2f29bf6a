import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { contacts, trackingConsents } from '~/db/schema/audience';
import { creators } from '~/db/schema/creators';
import { outbox } from '~/db/schema/notifications';
import { DAYS, later } from '~/server/base/time';
import { queueJoinLink } from '~/server/domain/audience/join-newsletter';
import { leaveLink, leaveNewsletter } from '~/server/domain/audience/leave-newsletter';
import { moveContacts } from '~/server/domain/audience/move-contacts';
import { isTracked } from '~/server/domain/audience/tracking-consents';
import { moveSeries } from '~/server/domain/newsletter/move-series';
import { addressToken } from '~/server/domain/notifications/address-links';
import '../../support/matchers';
import { cast } from '../../support/cast';
import { pagesApp } from '../../support/pages-app';
import { runJobs } from '../../support/run-jobs';

const { runtime, env, make, visitorCtx, ctxOf, clock } = await cast({ settings: { CREATOR_URLS: 'path' } });
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
const owner = await make.creator({ name: 'Nadia' });
const { creatorId } = owner;
await db.update(creators).set({ showNewsletter: true }).where(eq(creators.id, creatorId));

/** `since`: how many days ago the setting was switched on; null: it is off. */
const track = (since: number | null) =>
  db
    .update(creators)
    .set({ tracksReadersSince: since === null ? null : later(clock.now, DAYS(-since)) })
    .where(eq(creators.id, creatorId));
let number = 0;
async function contact(over: Partial<typeof contacts.$inferInsert> = {}) {
  number += 1;
  const base = { creatorId, status: 'active', source: 'form', language: 'en' } as const;
  const [row] = await db
    .insert(contacts)
    .values({ ...base, email: `reader${number}@mail.example`, ...over })
    .returning();
  return row!;
}
const consent = (contactId: number, over: Partial<typeof trackingConsents.$inferInsert> = {}) =>
  db.insert(trackingConsents).values({ contactId, givenAt: clock.now, text: 'She may', ...over });
const consentsOf = (contactId: number) =>
  db.select().from(trackingConsents).where(eq(trackingConsents.contactId, contactId)).orderBy(trackingConsents.givenAt);

/** Without the texts for the browser, which are there twice. */
const clean = async (answer: Response) =>
  (await answer.text()).replaceAll('<!-- -->', '').replace(/<script.*?<\/script>/gs, '');
const open = async (path: string) => clean(await app.request(path.startsWith('http') ? path : env.urls.appUrl + path));
const post = async (url: string, body: Record<string, string>) =>
  clean(await app.request(url, { method: 'POST', body: new URLSearchParams(body) }));
const boxIn = (html: string) => /<input[^>]*name="isTracked"[^>]*>/.exec(html)?.[0] ?? null;
const SENTENCE = 'Nadia may see on which day I last opened an email of theirs or a link in one';
const ORACION = 'Nadia puede ver qué día abrí por última vez uno de sus correos o un enlace en ellos';

test('the own page has the box while the creator asks, never ticked in advance, and stores the sentence of its language', async () => {
  const { id, email } = await contact();
  const link = leaveLink(visitorCtx(), { creatorId, email, id }, 'es').url;
  const save = (isTracked: boolean) =>
    post(link, { intent: 'save', language: 'es', ...(isTracked && { isTracked: 'on' }) });

  await track(null);
  expect(boxIn(await open(link))).toBeNull();
  await track(0);
  const page = await open(link);
  expect(boxIn(page)).not.toContain('checked');
  expect(page).toContain(ORACION);
  await save(true);
  await save(true);
  expect(await consentsOf(id)).toEqual([
    {
      contactId: id,
      creatorId: expect.any(Number),
      givenAt: clock.now,
      text: ORACION,
      withdrawnAt: null,
      lastSeenOn: null,
    },
  ]);
  await db.update(trackingConsents).set({ lastSeenOn: '2026-02-28' }).where(eq(trackingConsents.contactId, id));
  const data = await (await app.request(link.replace('/unsubscribe?', '/unsubscribe/data.json?'))).json();
  expect(data.tracking).toMatchObject([{ text: ORACION, lastSeenOn: '2026-02-28' }]);
  await track(null);
  expect(boxIn(await open(link))).toContain('checked');
  await save(false);

  expect(await consentsOf(id)).toMatchObject([{ withdrawnAt: clock.now, lastSeenOn: null }]);
  expect(boxIn(await open(link))).toBeNull();
});

test.each([
  ['en', 'We don’t watch you read'],
  ['es', 'No miramos cómo lees'],
])(
  'the pages of a newsletter (%s) say that nobody is watched exactly while the creator does not ask',
  async (language, words) => {
    const pages = [`/${language}/@${owner.domain}`, `/${language}/@${owner.domain}/newsletter-form`];
    await track(null);
    const off = await Promise.all(pages.map(open));
    await track(0);
    const on = await Promise.all(pages.map(open));

    for (const html of off) expect([html.includes(words), boxIn(html)]).toEqual([true, null]);
    for (const html of on) {
      expect([html.includes(words), boxIn(html) !== null]).toEqual([false, true]);
      expect(boxIn(html)).not.toContain('checked');
    }
  },
);

/** Sends the form, and returns the address in the email. */
async function signUp(email: string, body: Record<string, string> = {}) {
  const isIts = and(eq(outbox.to, email), eq(outbox.topic, 'join_newsletter'));
  await post(`${env.urls.appUrl}/en/@${owner.domain}/newsletter-form`, { email, ...body });
  await runJobs(runtime, 'audience.send-join-link', (job, ctx) => queueJoinLink(ctx, job));
  const [mail] = await db.select().from(outbox).where(isIts);
  return /http\S+join-newsletter\?token=\S+/.exec(mail!.text)![0];
}
const tokenIn = (url: string) => new URL(url).searchParams.get('list')!;
const idOf = async (email: string) => (await db.select().from(contacts).where(eq(contacts.email, email)))[0]!.id;

test('the page of a link that was used says that its address is on the list', async () => {
  const link = await signUp('used@mail.example');
  expect(await open(link)).toContain('Get the newsletter</button>');

  await post(link, {});

  const html = await open(link);
  expect(html).toContain('You already get the newsletter');
  expect(html).not.toContain('Get the newsletter</button>');
});

test('a tick on the sign-up form only makes the link’s page ask the owner of the address, never ticked in advance', async () => {
  await track(0);
  const [yes, changed, no] = ['yes@mail.example', 'changed@mail.example', 'no@mail.example'];
  const links = [await signUp(yes, { isTracked: 'on' }), await signUp(changed, { isTracked: 'on' }), await signUp(no)];
  expect(await consentsOf(await idOf(yes))).toEqual([]);
  const pages = await Promise.all(links.map(open));
  await post(links[0]!, { isTracked: 'on' });
  await post(links[1]!, {});
  await post(links[2]!, {});

  expect(pages.map((html) => [boxIn(html)?.includes('checked') ?? null, html.includes(SENTENCE)])).toEqual([
    [false, true],
    [false, true],
    [null, false],
  ]);
  expect(await consentsOf(await idOf(yes))).toMatchObject([{ text: SENTENCE, givenAt: clock.now, withdrawnAt: null }]);
  expect(await consentsOf(await idOf(changed))).toEqual([]);
  expect(await consentsOf(await idOf(no))).toEqual([]);
});

test('who is on the list already agrees by the form, too', async () => {
  await track(0);
  const { id, email } = await contact();

  await post(await signUp(email, { isTracked: 'on' }), { isTracked: 'on' });

  expect(await consentsOf(id)).toHaveLength(1);
});

test('a tick counts for nothing while the creator does not ask', async () => {
  await track(null);
  const link = await signUp('forged@mail.example', { isTracked: 'on' });
  expect(link).not.toContain('tracked');
  await track(0);
  const other = await signUp('late@mail.example', { isTracked: 'on' });
  await track(null);
  expect(boxIn(await open(other))).toBeNull();
  for (const url of [link, other]) await post(url, { isTracked: 'on' });

  for (const email of ['forged@mail.example', 'late@mail.example'])
    expect(await consentsOf(await idOf(email))).toEqual([]);
});

test('the filter finds only people whose consent is old enough, and who have not read since', async () => {
  const ago = (days: number) => later(clock.now, DAYS(-days));
  const tagged = { name: 'Filtered' };
  const [unseen, stale, fresh, young, withdrawn, silent] = await Promise.all(
    Array.from({ length: 6 }, () => contact(tagged)),
  );
  await consent(unseen!.id, { givenAt: ago(100) });
  await consent(stale!.id, { givenAt: ago(100), lastSeenOn: '2025-12-01' });
  await consent(fresh!.id, { givenAt: ago(100), lastSeenOn: '2025-12-02' });
  await consent(young!.id, { givenAt: ago(80) });
  await consent(withdrawn!.id, { givenAt: ago(100), withdrawnAt: ago(95) });
  const find = async (months: number) =>
    (await owner.api.contacts.list({ search: 'Filtered', unseen: months, sort: 'email' } as never)).items.map(
      ({ id }) => id,
    );
  // three months before 2 March 2026
  await track(100);
  const found = await find(3);
  const older = await find(4);
  const segment = await owner.api.contacts.saveSegment({ name: 'Gone', filter: { unseen: 3 } } as never);
  const reach = await owner.api.editions.reach({ audience: { group: 'segment', of: String(segment.id) } } as never);
  await track(80);
  const tooYoung = await find(3);
  await track(null);
  const off = await find(3);

  expect(found.sort()).toEqual([unseen!.id, stale!.id].sort());
  expect(found).not.toContain(silent!.id);
  expect(older).toEqual([]);
  expect(reach).toMatchObject({ reach: 2 });
  expect([tooYoung, off]).toEqual([[], []]);
  for (const months of [0, 37, 1.5, 'x']) await expect(find(months as number)).toFailWith('common.invalid');
});

test('a contact’s page and the file have the day only with a consent in force', async () => {
  await track(0);
  const [agreed, ended] = [await contact(), await contact()];
  await consent(agreed.id, { lastSeenOn: '2026-02-27' });
  await consent(ended.id, { withdrawnAt: clock.now });

  const pages = await Promise.all([agreed, ended].map(({ id }) => owner.api.contacts.get({ id })));
  const rows = await owner.api.contacts.export({});
  await track(null);
  const off = await owner.api.contacts.get({ id: agreed.id });

  expect(pages.map(({ isTracked, contact: { lastSeenOn } }) => [isTracked, lastSeenOn])).toEqual([
    [true, '2026-02-27'],
    [false, null],
  ]);
  expect(rows.find(({ id }) => id === agreed.id)?.lastSeenOn).toBe('2026-02-27');
  expect(off.isTracked).toBe(false);
});

/** The link of an email that answers a sign-up, with or without the tick. */
const linkTo = (email: string, tick = '') => {
  const claim = { email, id: creatorId, issuedAt: clock.now };
  return `${env.urls.appUrl}/en/join-newsletter?token=${addressToken(visitorCtx(), claim, 'join a newsletter')}${tick}`;
};

test('a consent ends when its person leaves, and does not come back with a sign-up without the tick', async () => {
  await track(0);
  const { id, email } = await contact();
  await consent(id, { lastSeenOn: '2026-02-20' });

  await leaveNewsletter(visitorCtx(), { token: tokenIn(leaveLink(visitorCtx(), { creatorId, email, id }, 'en').url) });
  expect(await consentsOf(id)).toMatchObject([{ withdrawnAt: clock.now, lastSeenOn: null }]);
  await post(linkTo(email), {});

  expect(await isTracked(visitorCtx(), id)).toBe(false);
});

test.each(['unsubscribed', 'complained', 'bounced'] as const)(
  'a consent of before does not come back with a sign-up of a contact that is inactive: %s',
  async (inactiveAs) => {
    await track(0);
    const statusAt = later(clock.now, DAYS(-1));
    const { id, email } = await contact({ status: 'inactive', inactiveAs, statusReason: 'suppressed', statusAt });
    await consent(id, { givenAt: later(clock.now, DAYS(-2)) });

    await post(linkTo(email, '&tracked=on'), {});
    expect(await isTracked(visitorCtx(), id)).toBe(false);
    await post(linkTo(email, '&tracked=on'), { isTracked: 'on' });

    expect(await isTracked(visitorCtx(), id)).toBe(true);
  },
);

test('the box that is left empty on the link’s page ends a consent; a page without it does not', async () => {
  await track(0);
  const { id, email } = await contact();
  await consent(id);

  await post(linkTo(email), {});
  expect(await isTracked(visitorCtx(), id)).toBe(true);
  await post(linkTo(email, '&tracked=on'), {});

  expect(await isTracked(visitorCtx(), id)).toBe(false);
});

test('who gets another address from the creator is not seen until they agree themselves', async () => {
  await track(0);
  const { id, email } = await contact();
  await consent(id, { lastSeenOn: '2026-02-20' });

  await owner.api.contacts.update({ id, email, name: 'Same', tags: [] });
  expect(await isTracked(visitorCtx(), id)).toBe(true);
  await owner.api.contacts.update({ id, email: `other-${email}`, name: 'Same', tags: [] });

  expect(await consentsOf(id)).toMatchObject([{ withdrawnAt: clock.now, lastSeenOn: null }]);
});

const day = (number: number) => later(clock.now, DAYS(number - 10));
test.each([
  ['the kept one withdrew later', { givenAt: day(1) }, { givenAt: day(5), withdrawnAt: day(9) }, false],
  ['the former one withdrew later', { givenAt: day(1), withdrawnAt: day(9) }, { givenAt: day(5) }, false],
  ['the former one agreed later', { givenAt: day(8) }, { givenAt: day(1), withdrawnAt: day(7) }, true],
  ['the kept one agreed later', { givenAt: day(1), withdrawnAt: day(7) }, { givenAt: day(8) }, true],
])('when two contacts become one, the latest word counts: %s', async (_, former, kept, expected) => {
  const person = await make.person();
  const moved = `word-${person.email}`;
  const [old, known] = [await contact({ email: person.email, userId: person.id }), await contact({ email: moved })];
  await consent(old.id, former);
  await consent(known.id, kept);
  await db.update(users).set({ email: moved }).where(eq(users.id, person.id));

  await moveContacts(ctxOf(owner), { userId: person.id }, moveSeries);

  expect(await isTracked(visitorCtx(), known.id)).toBe(expected);
  expect(await consentsOf(known.id)).toHaveLength(2);
});

test.each([
  ['both agreed', '2026-02-20', '2026-02-25', '2026-02-25'],
  ['only the former one agreed', '2026-02-20', null, '2026-02-20'],
])('when two contacts become one and %s, the later day stays', async (_, former, kept, expected) => {
  const person = await make.person();
  const moved = `moved-${person.email}`;
  const [old, known] = [await contact({ email: person.email, userId: person.id }), await contact({ email: moved })];
  await consent(old.id, { lastSeenOn: former });
  if (kept) await consent(known.id, { lastSeenOn: kept, givenAt: later(clock.now, DAYS(-1)) });
  await db.update(users).set({ email: moved }).where(eq(users.id, person.id));

  await moveContacts(ctxOf(owner), { userId: person.id }, moveSeries);

  expect(await consentsOf(known.id)).toMatchObject([{ lastSeenOn: expected, withdrawnAt: null }]);
});
