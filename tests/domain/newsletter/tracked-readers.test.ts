import { eq } from 'drizzle-orm';
import { Hono } from 'hono';
import PostalMime from 'postal-mime';
import { beforeEach, expect, test } from 'vitest';
import { contacts, mergedContacts, trackingConsents } from '~/db/schema/audience';
import { creators } from '~/db/schema/creators';
import { editionLinks, editions } from '~/db/schema/newsletter';
import type { BulkMessage } from '~/server/adapters/mail/bulk/message';
import { DAYS, earlier, later, utcDay } from '~/server/base/time';
import { saveChoices } from '~/server/domain/audience/change-own-contact';
import { leaveLink } from '~/server/domain/audience/leave-newsletter';
import { insertSightings } from '~/server/domain/audience/record-readers';
import { forgetReaders } from '~/server/domain/audience/tracking-consents';
import { readerTag } from '~/server/domain/newsletter/reader-links';
import { editionCountsDoor } from '~/server/doors/pages/edition-counts';
import '../../support/matchers';
import { runJobs } from '../../support/run-jobs';
import { newsletterStage, SETTINGS } from './sent-editions';

const stage = await newsletterStage();
const { runtime, visitorCtx, clock, publisher, addContacts, draft, deliver } = stage;
const { db } = runtime;
const door = new Hono();
editionCountsDoor(runtime)(door as never);

type Owner = Awaited<ReturnType<typeof publisher>>;
type Contact = typeof contacts.$inferSelect;
let owner: Owner;
let nora: Contact;
let other: Contact;

const switchTo = (tracksReaders: boolean, { api, email } = owner) =>
  api.newsletter.saveSettings({ ...SETTINGS, senderEmail: email, tracksReaders } as never);
const choose = (isTracked: boolean, contact = nora) => {
  const { url } = leaveLink(visitorCtx(), contact, 'en');
  const token = new URL(url).searchParams.get('list')!;
  return saveChoices(visitorCtx(), { token, of: 'list', language: 'en', isTracked });
};
const consentsOf = ({ id } = nora) =>
  db.select().from(trackingConsents).where(eq(trackingConsents.contactId, id)).orderBy(trackingConsents.givenAt);
const dayOf = async (contact = nora) => (await consentsOf(contact)).at(-1)?.lastSeenOn ?? null;

/** Opens an address of an email, and waits until the day is stored. */
async function open(url: string, init?: RequestInit) {
  const { pathname, search } = new URL(url, 'http://any.example');
  const answer = await door.request(pathname + search, init);
  await runtime.recorders.drained();
  return answer;
}

/** Sends an edition with one link, and returns its id and the emails by address. */
async function send(content = '<p>Read <a href="https://a.example/x">this</a>.</p>', from = owner) {
  const edition = await draft(from, { content });
  await from.api.editions.send(edition as never);
  const messages: BulkMessage[] = [];
  await deliver(edition.id, {
    answer(message) {
      messages.push(message);
      return {};
    },
  });
  const read = async (message: BulkMessage) => [message.to, await readEmail(message)] as const;
  return { id: edition.id, emails: Object.fromEntries(await Promise.all(messages.map(read))) };
}

async function readEmail(message: BulkMessage) {
  const bytes = await message.bytes();
  const { html = '', text = '' } = await PostalMime.parse(bytes);
  const find = (pattern: RegExp) => pattern.exec(html)?.[1] ?? '';
  return {
    ...{ html, text, bytes: bytes.toString() },
    pixel: find(/src="([^"]*\/opened\/[^"]*)"/),
    link: find(/href="([^"]*\/clicked\/[^"]*)"/),
  };
}

const TAGGED = /\?by=r\.[0-9a-z]+\.[0-9a-z]+\.[0-9a-f]{20}$/;
const PLAIN = /\/(?:opened\/\d+\.gif|clicked\/\d+\/\d+)$/;

beforeEach(async () => {
  owner = await publisher();
  await switchTo(true);
  [nora, other] = (await addContacts(owner.creatorId, 2)) as [Contact, Contact];
});

test('only people who agreed have their own addresses in an email, and only while the setting is on', async () => {
  await choose(true);
  const { emails } = await send();
  await switchTo(false);
  const off = await send();
  await switchTo(true);
  await choose(false);
  const withdrawn = await send();

  const [agreed, silent] = [emails[nora.email]!, emails[other.email]!];
  expect([agreed.pixel, agreed.link]).toEqual([expect.stringMatching(TAGGED), expect.stringMatching(TAGGED)]);
  expect(agreed.text).not.toContain('by=');
  expect(agreed.html).not.toContain('We don’t watch you read');
  const plain = [silent, off.emails[nora.email]!, off.emails[other.email]!, withdrawn.emails[nora.email]!];
  for (const email of plain) {
    expect([email.pixel, email.link]).toEqual([expect.stringMatching(PLAIN), expect.stringMatching(PLAIN)]);
    expect(email.bytes).not.toMatch(/by=3D|reader_/);
    expect(email.html).toContain('We don’t watch you read');
  }
});

test('an author cannot write the reader into a text or an address', async () => {
  await choose(true);
  const known = await send();
  const tag = new URL(known.emails[nora.email]!.pixel).searchParams.get('by')!;
  const { emails } = await send('<p>{{by}} {{reader}} <a href="https://a.example/?r={{reader}}&by={{by}}">x</a></p>');

  const { html, text } = emails[nora.email]!;
  expect(text).not.toMatch(/r\.[0-9a-z]+\.[0-9a-z]+\.[0-9a-f]{20}/);
  expect(html.match(/r\.[0-9a-z]+\.[0-9a-z]+\.[0-9a-f]{20}/g)).toHaveLength(2);
  expect(tag).toMatch(/^r\./);
});

test('an open or a click keeps one day, and counts as ever', async () => {
  await choose(true);
  const { id, emails } = await send();
  const { pixel, link } = emails[nora.email]!;

  await open(pixel);
  const first = await dayOf();
  const answer = await open(link);
  clock.now = later(clock.now, DAYS(3));
  await open(link);
  const second = await dayOf();
  clock.now = earlier(clock.now, DAYS(2));
  await open(pixel);

  expect([first, second, await dayOf()]).toEqual([
    utcDay(earlier(clock.now, DAYS(1))),
    utcDay(later(clock.now, DAYS(2))),
    second,
  ]);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://a.example/x']);
  const [row] = await db.select().from(editions).where(eq(editions.id, id));
  const [counted] = await db.select().from(editionLinks).where(eq(editionLinks.editionId, id));
  expect([row!.opens, counted!.clicks]).toEqual([2, 2]);
  expect(await dayOf(other)).toBeNull();
});

test('a day that is stored already writes nothing', async () => {
  await choose(true);
  const { emails } = await send();
  const { pixel } = emails[nora.email]!;
  const version = async () => {
    const [row] = await db.execute<{ xmin: string }>(
      `select xmin::text from tracking_consents where contact_id = ${nora.id}`,
    );
    return row!.xmin;
  };

  await open(pixel);
  const before = await version();
  await open(pixel);

  expect(await version()).toBe(before);
});

test('a consent that is withdrawn before the email is opened keeps nothing, and its day is deleted', async () => {
  await choose(true);
  const { emails } = await send();
  await open(emails[nora.email]!.pixel);
  expect(await dayOf()).not.toBeNull();

  await choose(false);
  const answer = await open(emails[nora.email]!.pixel);

  expect(answer.status).toBe(200);
  const [row, ...more] = await consentsOf();
  expect(more).toEqual([]);
  expect(row).toMatchObject({ withdrawnAt: clock.now, lastSeenOn: null });
});

test('a setting that is switched off deletes the days of this creator only, and nothing is kept until it is on again', async () => {
  const neighbour = await publisher();
  await switchTo(true, neighbour);
  const [foreign] = await addContacts(neighbour.creatorId, 1);
  await Promise.all([choose(true), choose(true, foreign)]);
  const [own, others] = [await send(), await send(undefined, neighbour)];
  const { pixel } = own.emails[nora.email]!;
  await open(pixel);
  await open(others.emails[foreign!.email]!.pixel);

  await switchTo(false);
  await open(pixel);
  await runJobs(runtime, 'audience.forget-readers', (job, ctx) => forgetReaders(ctx, job));
  const off = await consentsOf();
  await switchTo(true);
  await open(pixel);

  expect(off).toMatchObject([{ withdrawnAt: null, lastSeenOn: null }]);
  expect(await dayOf()).toBe(utcDay(clock.now));
  expect(await dayOf(foreign)).toBe(utcDay(clock.now));
});

test('an open neither waits for a creator who is switching the setting off, nor is it kept', async () => {
  await choose(true);
  const neighbour = await publisher();
  await switchTo(true, neighbour);
  const [foreign] = await addContacts(neighbour.creatorId, 1);
  await choose(true, foreign);
  const on = utcDay(clock.now);

  await db.transaction(async (tx) => {
    await tx.update(creators).set({ tracksReadersSince: null }).where(eq(creators.id, owner.creatorId));
    // resolves before this transaction ends
    await insertSightings(
      db,
      [nora, foreign!].map(({ id }) => ({ contactId: id, on })),
    );
  });

  expect([await dayOf(), await dayOf(foreign)]).toEqual([null, on]);
});

test('forged, cut and foreign tags change nothing, and the answers stay', async () => {
  await choose(true);
  const [edition, another] = [await send(), await send()];
  const good = new URL(edition.emails[nora.email]!.pixel).searchParams.get('by')!;
  const neighbour = await publisher();
  const [foreign] = await addContacts(neighbour.creatorId, 1);
  const forOther = readerTag(runtime, { editionId: edition.id, contactId: other.id });
  const tags = [
    good.slice(0, -1),
    `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`,
    `b${good.slice(1)}`,
    good.replace(/^r\.[0-9a-z]+/, `r.${another.id.toString(36)}`),
    readerTag(runtime, { editionId: another.id, contactId: nora.id }),
    // agreed to nothing
    forOther,
    readerTag(runtime, { editionId: edition.id, contactId: foreign!.id }),
    '',
    '%00',
    'r.'.repeat(500),
  ];

  for (const tag of tags) {
    const picture = await open(`/opened/${edition.id}.gif?by=${tag}`);
    const link = await open(`/clicked/${edition.id}/0?by=${tag}`);
    expect([picture.status, link.status, link.headers.get('location')]).toEqual([200, 302, 'https://a.example/x']);
  }
  expect(await dayOf()).toBeNull();
  expect(await consentsOf(other)).toEqual([]);
  const twice = await open(`/opened/${edition.id}.gif?by=${good}&by=${forOther}`);
  expect(twice.status).toBe(200);
});

test('a scanner that asks for the head only, and a link that is gone, keep nothing', async () => {
  await choose(true);
  const { id, emails } = await send();
  const { pixel, link } = emails[nora.email]!;

  await open(pixel, { method: 'HEAD' });
  await open(link, { method: 'HEAD' });
  const gone = await open(link.replace(`/clicked/${id}/0`, `/clicked/${id}/7`));

  expect(gone.status).toBe(404);
  expect(await dayOf()).toBeNull();
});

test('whoever has left is not seen any more', async () => {
  await choose(true);
  const { emails } = await send();
  await db.update(contacts).set({ status: 'inactive', inactiveAs: 'unsubscribed' }).where(eq(contacts.id, nora.id));

  await open(emails[nora.email]!.pixel);

  expect(await dayOf()).toBeNull();
});

test('the addresses of a contact that became a part of another one count for that one', async () => {
  await choose(true);
  await choose(true, other);
  const { emails } = await send();
  await db.delete(contacts).where(eq(contacts.id, nora.id));
  await db.insert(mergedContacts).values({ formerId: nora.id, contactId: other.id });

  await open(emails[nora.email]!.pixel);

  expect(await dayOf(other)).toBe(utcDay(clock.now));
});

test('a deleted contact that comes back has its consent, and no day', async () => {
  await choose(true);
  const { emails } = await send();
  await open(emails[nora.email]!.pixel);

  const { batchId } = await owner.api.contacts.change({ action: 'delete', ids: [nora.id] } as never);
  await owner.api.contacts.undoChange({ batchId: batchId! });

  expect(await consentsOf()).toMatchObject([{ withdrawnAt: null, lastSeenOn: null }]);
});
