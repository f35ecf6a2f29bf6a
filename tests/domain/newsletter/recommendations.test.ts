import { and, asc, eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { contactConsents, contacts } from '~/db/schema/audience';
import { creators } from '~/db/schema/creators';
import { newsletterRecommendations, newsletters } from '~/db/schema/newsletter';
import { HOURS, later, MINUTES } from '~/server/base/time';
import { leaveLink } from '~/server/domain/audience/leave-newsletter';
import { eraseNewsletter } from '~/server/domain/newsletter/erase-newsletter';
import { addressToken } from '~/server/domain/notifications/address-links';
import { NEWSLETTER_LIMITS } from '~/server/limits/audience';
import { RECOMMENDATION_LIMITS } from '~/server/limits/newsletter';
import '../../support/matchers';
import { pagesApp } from '../../support/pages-app';
import { runJobs } from '../../support/run-jobs';
import { newsletterStage, SETTINGS } from './sent-editions';

const { runtime, env, clock, pauseAt, visitor, publisher, jobCtx } = await newsletterStage();
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
type Person = Awaited<ReturnType<typeof publisher>>;

async function publicPublisher(name: string): Promise<Person> {
  const person = await publisher();
  await person.api.newsletter.saveSettings({ ...SETTINGS, name, senderEmail: person.email } as never);
  await db.update(creators).set({ showNewsletter: true, name }).where(eq(creators.id, person.creatorId));
  return person;
}

let owner: Person;
let other: Person;
let number = 0;
let email: string;
beforeEach(async () => {
  number += 1;
  email = `newcomer${number}@mail.example`;
  owner = await publicPublisher(`Letters ${number}`);
  other = await publicPublisher(`Tides ${number}`);
  await owner.api.newsletter.recommend({ creatorId: other.creatorId });
});

/** The link of the form's email, for an address that has asked for it. */
async function joinToken() {
  const pending = { status: 'pending', source: 'form', language: 'en', statusAt: clock.now } as const;
  await db
    .insert(contacts)
    .values({ creatorId: owner.creatorId, email, ...pending })
    .onConflictDoNothing();
  return addressToken(runtime, { email, id: owner.creatorId, issuedAt: clock.now }, 'join a newsletter');
}
const confirm = async () => (await visitor.audience.confirmJoin({ token: await joinToken() })).confirmed;
const tick = (confirmed: string, ...people: Person[]) =>
  visitor.newsletter.joinRecommended({ confirmed, ids: people.map(({ creatorId }) => creatorId) });
const offered = async (confirmed: string) => (await visitor.newsletter.offered({ confirmed })).map(({ id }) => id);
const contactAt = async ({ creatorId }: Person) => {
  const isIts = and(eq(contacts.creatorId, creatorId), eq(contacts.email, email));
  return (await db.select().from(contacts).where(isIts))[0] ?? null;
};

test('a ticked newsletter gets a confirmed contact with the words of the page, once', async () => {
  const confirmed = await confirm();

  const first = await tick(confirmed, other);
  const second = await tick(confirmed, other);

  expect(first).toMatchObject({ email, joined: [{ id: other.creatorId, name: `Tides ${number}` }] });
  expect(second).toEqual(first);
  const contact = await contactAt(other);
  expect(contact).toMatchObject({ status: 'active', source: 'recommendation', statusReason: 'recommendation' });
  expect(contact!.confirmedAt).toEqual(clock.now);
  const consents = await db
    .select()
    .from(contactConsents)
    .where(eq(contactConsents.contactId, contact!.id))
    .orderBy(contactConsents.givenAt);
  expect(consents).toMatchObject([{ source: 'recommendation', givenAt: clock.now }]);
  expect(consents[0]!.text).toContain(`newsletters. Tick those that should be sent to ${email}`);
  expect(consents[0]!.text).toContain(`Tides ${number}`);
  const welcomed: number[] = [];
  await runJobs(runtime, 'newsletter.send-welcome', async ({ contactId }) => void welcomed.push(contactId));
  expect(welcomed.filter((id) => id === contact!.id)).toHaveLength(1);
});

test('nothing is added without a tick, nor for an id that this creator does not recommend', async () => {
  const stranger = await publicPublisher(`Strangers ${number}`);
  const confirmed = await confirm();

  expect((await tick(confirmed)).joined).toEqual([]);
  expect((await tick(confirmed, stranger)).joined).toEqual([]);

  expect([await contactAt(other), await contactAt(stranger)]).toEqual([null, null]);
});

test('two windows that send the form at the same moment add the address once', async () => {
  const confirmed = await confirm();
  const pause = pauseAt('confirmation.read', 2);
  const both = Promise.all([tick(confirmed, other), tick(confirmed, other)]);
  await pause.reachedBy(both);
  pause.goOn();

  expect((await both).map(({ joined }) => joined.length)).toEqual([1, 1]);
  const { id } = (await contactAt(other))!;
  expect(await db.$count(contactConsents, eq(contactConsents.contactId, id))).toBe(1);
});

const DISAPPEARS: [why: string, change: (person: Person) => Promise<unknown>][] = [
  ['refuses', ({ api }) => api.newsletter.saveSettings({ ...SETTINGS, mayBeRecommended: false } as never)],
  ['hides the newsletter', (person) => changeCreator(person, { showNewsletter: false })],
  ['closes the page', (person) => changeCreator(person, { closedAt: clock.now })],
  ['is taken down', (person) => changeCreator(person, { takenDownAt: clock.now })],
  ['may not publish', (person) => changeCreator(person, { publishingStoppedAt: clock.now })],
  ['has no settings', ({ creatorId }) => db.delete(newsletters).where(eq(newsletters.creatorId, creatorId))],
];
const changeCreator = ({ creatorId }: Person, change: Partial<typeof creators.$inferInsert>) =>
  db.update(creators).set(change).where(eq(creators.id, creatorId));

test.each(DISAPPEARS)('a creator who %s is no longer offered, and cannot be ticked', async (_, change) => {
  const confirmed = await confirm();
  expect(await offered(confirmed)).toEqual([other.creatorId]);

  await change(other);

  expect(await offered(confirmed)).toEqual([]);
  expect((await tick(confirmed, other)).joined).toEqual([]);
  expect(await contactAt(other)).toBeNull();
  expect(await owner.api.newsletter.recommendations()).toMatchObject([{ id: other.creatorId, isShown: false }]);
});

test('the token ends after half an hour, with the newsletter itself, and is no link of another kind', async () => {
  const confirmed = await confirm();
  const token = await joinToken();
  const start = clock.now;

  await expect(tick(token, other)).toFailWith('audience.join_link_expired');
  await expect(tick(`${confirmed}x`, other)).toFailWith('audience.join_link_expired');
  clock.now = later(start, NEWSLETTER_LIMITS.recommending + 1);
  await expect(tick(confirmed, other)).toFailWith('audience.join_link_expired');
  clock.now = later(start, MINUTES(1));
  await visitor.audience.leaveNewsletter({ token: leaveToken(owner) });
  await expect(tick(confirmed, other)).toFailWith('audience.join_link_expired');
  expect(await contactAt(other)).toBeNull();
});

const leaveToken = ({ creatorId }: Person) =>
  new URL(leaveLink(runtime, { creatorId, email }, 'en').url).searchParams.get('list')!;

test('who has left a newsletter since the link was sent does not come back, who left before does', async () => {
  await tick(await confirm(), other);
  clock.now = later(clock.now, HOURS(1));
  const before = await confirm();
  clock.now = later(clock.now, MINUTES(1));
  await visitor.audience.leaveNewsletter({ token: leaveToken(other) });

  expect((await tick(before, other)).joined).toEqual([]);
  expect(await contactAt(other)).toMatchObject({ status: 'inactive' });
  await db.delete(contacts).where(eq(contacts.creatorId, other.creatorId));
  expect((await tick(before, other)).joined).toEqual([]);
  expect(await contactAt(other)).toBeNull();
  clock.now = later(clock.now, MINUTES(1));
  expect((await tick(await confirm(), other)).joined).toHaveLength(1);
  expect(await contactAt(other)).toMatchObject({ status: 'active' });
});

test('who leaves while the form is being handled stays away', async () => {
  await tick(await confirm(), other);
  const confirmed = await confirm();
  clock.now = later(clock.now, MINUTES(1));
  const pause = pauseAt('confirmation.read');
  const ticking = tick(confirmed, other);
  await pause.reachedBy(ticking);
  await visitor.audience.leaveNewsletter({ token: leaveToken(other) });
  pause.goOn();

  expect((await ticking).joined).toEqual([]);
  expect(await contactAt(other)).toMatchObject({ status: 'inactive', inactiveAs: 'unsubscribed' });
});

test.each(DISAPPEARS.slice(0, 3))('a creator who %s while the form is being handled gets nobody', async (_, change) => {
  const confirmed = await confirm();
  const pause = pauseAt('confirmation.read');
  const ticking = tick(confirmed, other);
  await pause.reachedBy(ticking);
  await change(other);
  pause.goOn();

  expect((await ticking).joined).toEqual([]);
  expect(await contactAt(other)).toBeNull();
});

test('an address that is being added waits for a creator who refuses at the same moment', async () => {
  const confirmed = await confirm();
  let ticking: ReturnType<typeof tick> | undefined;
  await db.transaction(async (tx) => {
    const isIts = eq(newsletters.creatorId, other.creatorId);
    await tx.update(newsletters).set({ mayBeRecommended: false }).where(isIts);
    ticking = tick(confirmed, other);
    await expect.poll(() => tx.execute(waitsForMe)).toEqual([{ waits: true }]);
  });

  expect((await ticking!).joined).toEqual([]);
  expect(await contactAt(other)).toBeNull();
});

const waitsForMe =
  'select exists (select from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))) as waits';

test('a creator recommends up to five others, never themselves, and only public newsletters', async () => {
  const { newsletter } = owner.api;
  const closed = await publisher();
  for (let added = 1; added < RECOMMENDATION_LIMITS.newsletters; added += 1) {
    const { creatorId } = await publicPublisher(`More ${number}.${added}`);
    await newsletter.recommend({ creatorId });
    await newsletter.recommend({ creatorId });
  }
  const sixth = await publicPublisher(`Sixth ${number}`);

  await expect(newsletter.recommend({ creatorId: owner.creatorId })).toFailWith('newsletter.own_newsletter');
  await expect(newsletter.recommend({ creatorId: closed.creatorId })).toFailWith('newsletter.not_recommendable');
  await expect(newsletter.recommend({ creatorId: 999_999 })).toFailWith('newsletter.not_recommendable');
  await expect(newsletter.recommend({ creatorId: sixth.creatorId })).toFailWith('newsletter.too_many_recommendations');
  await newsletter.endRecommendation({ creatorId: other.creatorId });
  await newsletter.recommend({ creatorId: sixth.creatorId });
  expect((await newsletter.recommendations()).map(({ name }) => name).at(-1)).toBe(`Sixth ${number}`);
});

test('a newsletter is found by the address of a page and by the beginning of a name', async () => {
  const found = await publicPublisher(`Östlich_${number}`);
  const searched = async (search: string) =>
    (await owner.api.newsletter.findRecommendable({ search })).map(({ id }) => id);
  const { appUrl } = env.urls;

  expect(await searched(`${appUrl}/@${found.domain}`)).toEqual([found.creatorId]);
  expect(await searched(runtime.urls.creator(found.domain))).toEqual([found.creatorId]);
  expect(await searched(`@${found.domain.toUpperCase()}`)).toEqual([found.creatorId]);
  expect(await searched('östlich_')).toContain(found.creatorId);
  expect(await searched('östlich%')).toEqual([]);
  expect(await searched(owner.domain)).toEqual([]);
  expect(await searched(other.domain)).toEqual([]);
  await found.api.newsletter.saveSettings({ ...SETTINGS, mayBeRecommended: false } as never);
  expect(await searched(`@${found.domain}`)).toEqual([]);
  // a form without the field changes nothing about it
  await found.api.newsletter.saveSettings(SETTINGS as never);
  expect(await searched(`@${found.domain}`)).toEqual([]);
});

test('recommendations go with the creators on both sides', async () => {
  const third = await publicPublisher(`Third ${number}`);
  await other.api.newsletter.recommend({ creatorId: third.creatorId });

  await eraseNewsletter(jobCtx(), { userId: other.id });

  const left = await db.select().from(newsletterRecommendations).orderBy(asc(newsletterRecommendations.creatorId));
  expect(left.filter(({ creatorId }) => [owner.creatorId, other.creatorId].includes(creatorId))).toEqual([]);
});

test('the page after the confirmation offers the newsletters without a tick, and its form works without a script', async () => {
  const url = `/join-newsletter?token=${await joinToken()}`;
  const post = async (body: Record<string, string>) => {
    const answer = await app.request(`${env.urls.appUrl}${url}`, { method: 'POST', body: new URLSearchParams(body) });
    return (await answer.text()).replaceAll('<!-- -->', '');
  };
  expect(await (await app.request(`${env.urls.appUrl}${url}`)).text()).not.toContain(`Tides ${number}`);

  const page = await post({});

  expect(page).toContain(`Tides ${number}`);
  const box = /<input type="checkbox"[^>]*>/.exec(page)![0];
  expect(box).not.toContain('checked');
  const [, name, value] = /name="([^"]+)" value="([^"]+)"/.exec(box)!;
  const confirmed = /name="confirmed" value="([^"]+)"/.exec(page)![1]!;
  const done = await post({ intent: 'also', confirmed, [name!]: value! });
  expect(done).toContain(`Tides ${number}`);
  expect(done).not.toContain('type="checkbox"');
  expect(await contactAt(other)).toMatchObject({ status: 'active' });
});

/** Sends the form of the link, as a browser without a script. */
const press = (token: string) => {
  const request = { method: 'POST', body: new URLSearchParams({}) };
  return app.request(`${env.urls.appUrl}/join-newsletter?token=${token}`, request);
};

test('a link confirms nothing for a creator who was taken down', async () => {
  const token = await joinToken();
  await changeCreator(owner, { takenDownAt: clock.now });

  const answer = await press(token);

  expect(answer.status).toBe(410);
  expect(await contactAt(owner)).toMatchObject({ status: 'pending' });
});

test('the page tells that the address is confirmed, even if it can offer nothing', async () => {
  const token = await joinToken();
  await db.execute('alter table newsletter_recommendations rename to missing_recommendations');

  const answer = await press(token);

  await db.execute('alter table missing_recommendations rename to newsletter_recommendations');
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain(email);
  expect(await contactAt(owner)).toMatchObject({ status: 'active' });
});
