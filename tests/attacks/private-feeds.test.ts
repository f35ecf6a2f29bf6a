import { and, eq, sql } from 'drizzle-orm';
import { parseRssFeed } from 'feedsmith';
import { beforeEach, expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { subscriptions } from '~/db/schema/billing';
import { feedLinks } from '~/db/schema/feeds';
import { episodeEmailOptOuts, outbox } from '~/db/schema/notifications';
import { DAYS, later, SECONDS } from '~/server/base/time';
import { endAccess, grantAccess } from '~/server/domain/access/grant-access';
import { uploadTranscript } from '~/server/domain/episodes/transcripts';
import { queueFollowLink } from '~/server/domain/feeds/request-follow';
import { unsubscribeLink } from '~/server/domain/notifications/unsubscribe';
import { FOLLOW_LIMITS } from '~/server/limits/feeds';
import { sendFollowLink } from '~/server/queue/jobs/feeds';
import { transact } from '~/server/runtime/ctx';
import '../support/matchers';
import { attackedServer } from '../support/attacked-server';
import { runJobs } from '../support/run-jobs';

const server = await attackedServer();
const { runtime, clock, lucia, ada, tom, visitor, ctxOf, visitorCtx, make } = server;
const { podcast, paidPodcast, episodes, sendRaw } = server;
const { db } = runtime;
const HOST = 'altavoz.localhost:3000';
const show = { productId: paidPodcast.id };
const follow = { productId: podcast.id };
const subscription = { userId: tom.id, productId: paidPodcast.id, source: 'subscription' } as const;
const secret = episodes.paidPodcast.private;

const give = (grant: Parameters<typeof grantAccess>[1]) => transact(visitorCtx(), (tx) => grantAccess(tx, grant));
const take = (grant: Parameters<typeof endAccess>[1]) => transact(visitorCtx(), (tx) => endAccess(tx, grant));

async function get(url: string, { headers = [] as string[], method = 'GET', host = HOST } = {}) {
  const path = url.replace(/^https?:\/\/[^/]+/, '');
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers];
  const { status, head, body } = await sendRaw(lines.join('\r\n'), '\r\n\r\n');
  return { status, head, body: Buffer.from(body, 'latin1').toString() };
}
const urlOf = async (api: typeof tom.api, productId: number | null, app = 'overcast') =>
  (await api.feeds.privateLinks({ productId })).find((link) => link.app === app)!.url;
const NOTICE = 'You have no access to this show at the moment';
const titlesIn = (xml: string) => parseRssFeed(xml).items!.map(({ title }) => title);
const audioIn = (xml: string, title: string) =>
  parseRssFeed(xml).items!.find((item) => item.title === title)!.enclosures![0]!.url!;

test('a private feed has every episode that its listener may hear, and no shared cache keeps it', async () => {
  const transcript = { id: secret.id, kind: 'podcast', fileName: 'a.txt', content: btoa('Words') } as const;
  await uploadTranscript(ctxOf(lucia), transcript);
  await give(subscription);

  const url = await urlOf(tom.api, paidPodcast.id);
  const { status, head, body } = await get(url);

  const feed = parseRssFeed(body);
  expect([status, url]).toEqual([200, expect.stringMatching(/\/feed\/private\/[\w-]{27}$/)]);
  expect(head).toMatch(/^cache-control: private, no-cache\r$/im);
  expect(head).toMatch(/^x-robots-tag: noindex/im);
  expect(head).toMatch(/^referrer-policy: no-referrer\r$/im);
  expect(body).toMatch(/<itunes:block>Yes</);
  expect(body).toMatch(/<podcast:block>yes</);
  expect(feed.items?.map(({ title }) => title)).toEqual(['Primero', 'Avance', 'Privado']);
  expect(feed.atom?.links?.[0]).toMatchObject({ href: url, rel: 'self' });
  const signed = new RegExp(`/${secret.id}/[^?"]+\\?feed=\\d+-[\\w-]{43}"`, 'g');
  expect(body.match(signed)?.length).toBeGreaterThan(1);
  const [, words = ''] = /url="([^"]*\/transcripts\/[^"]+)"/.exec(body)!;
  expect([(await get(audioIn(body, 'Privado'))).status, (await get(words)).status]).toEqual([200, 200]);
  expect((await get(words.replace(/\?.*/, ''))).status).toBe(404);
});

test('an unchanged feed costs a 304, and every change another answer', async () => {
  await give(subscription);
  const url = await urlOf(tom.api, paidPodcast.id);
  const first = await get(url);
  const [, etag = ''] = /^etag: (\S+)\r$/im.exec(first.head)!;

  const again = await get(url, { headers: [`If-None-Match: W/${etag}`] });
  await lucia.api.episodes.update({ id: secret.id, kind: 'podcast', name: 'Otro nombre' });
  const changed = await get(url, { headers: [`If-None-Match: ${etag}`] });
  await lucia.api.episodes.update({ id: secret.id, kind: 'podcast', name: 'Privado' });

  expect([again.status, again.body]).toEqual([304, '']);
  expect([changed.status, changed.body.includes('Otro nombre')]).toEqual([200, true]);
  expect((await get(url, { method: 'HEAD' })).status).toBe(200);
  expect((await get(url, { method: 'POST' })).status).toBe(405);
  expect((await get(url, { headers: ['Accept-Encoding: gzip;q=0'] })).body).toContain('<rss');
});

test('the feed and the audio in it begin and end with the grant', async () => {
  await give({ ...subscription, endsAt: later(clock.now, DAYS(30)) });
  const url = await urlOf(tom.api, paidPodcast.id);
  const audio = audioIn((await get(url)).body, 'Privado');
  const start = clock.now;

  clock.now = later(start, DAYS(30) - SECONDS(1));
  expect([(await get(url)).status, (await get(audio)).status]).toEqual([200, 200]);
  clock.now = later(start, DAYS(30));
  const ended = await get(url);
  expect([titlesIn(ended.body), (await get(audio)).status]).toEqual([[NOTICE], 404]);
  expect(ended.body).not.toContain('?feed=');
  await give({ ...subscription, endsAt: null });
  expect([titlesIn((await get(url)).body).length, (await get(audio)).status]).toEqual([3, 200]);
  await take(subscription);
  expect([titlesIn((await get(url)).body), (await get(audio)).status]).toEqual([[NOTICE], 404]);
  await expect(tom.api.feeds.privateLinks(show)).toFailWith('product.not_found');
  clock.now = start;
  await db.delete(grants).where(eq(grants.userId, tom.id));
});

test('a replaced address and its audio stop working; those of the other apps still work', async () => {
  await give({ ...subscription, endsAt: null });
  const [old, other] = [await urlOf(tom.api, paidPodcast.id), await urlOf(tom.api, paidPodcast.id, 'castro')];
  const audio = audioIn((await get(old)).body, 'Privado');

  await tom.api.feeds.replaceLink({ ...show, app: 'overcast' });

  const fresh = await urlOf(tom.api, paidPodcast.id);
  expect([(await get(old)).status, (await get(audio)).status]).toEqual([404, 404]);
  expect([(await get(fresh)).status, (await get(other)).status]).toEqual([200, 200]);
  expect((await get(audioIn((await get(fresh)).body, 'Privado'))).status).toBe(200);
});

const unpaid = (userId: number) => ({
  ...{ providerId: `sub_${userId}`, customerId: `cus_${userId}`, userId, creatorId: paidPodcast.creatorId },
  ...({ purpose: 'show', productId: paidPodcast.id, status: 'canceled', endReason: 'unpaid', every: 'month' } as const),
  ...({
    priceMinor: 500,
    currency: 'eur',
    startedAt: clock.now,
    periodStart: clock.now,
    periodEnd: clock.now,
  } as const),
  ...{ endedAt: clock.now, syncedAt: clock.now },
});

test('a notice says why there is nothing to hear, in the language of its listener, and changes with the reason', async () => {
  const person = await make.person({ language: 'es' });
  const own = { ...subscription, userId: person.id };
  await give({ ...own, endsAt: null });
  const url = await urlOf(person.api, paidPodcast.id);
  const link = and(eq(feedLinks.userId, person.id), eq(feedLinks.app, 'overcast'));
  const read = async () =>
    parseRssFeed((await get(url)).body).items!.map(({ title, enclosures }) => [title, enclosures![0]!.url]);
  const notice = (name: string) => `http://${HOST}/notice-${name}-es.mp3`;

  await take(own);
  const [first] = await read();
  const { head, body } = await get(url);
  await db.insert(subscriptions).values(unpaid(person.id));
  const [second] = await read();
  await db.update(feedLinks).set({ replacedAt: clock.now, replacedBecause: 'shared' }).where(link);
  const [third] = await read();
  await give({ ...own, endsAt: null });

  expect(first).toEqual(['En este momento no tienes acceso a este programa', notice('ended')]);
  expect(second).toEqual(['No pudimos cobrar tu último pago', notice('unpaid')]);
  expect(third).toEqual(['Este feed tiene una dirección nueva', notice('shared')]);
  const [, etag = ''] = /^etag: (\S+)\r$/im.exec(head)!;
  expect(head).toMatch(/^cache-control: private, no-cache\r$/im);
  expect(body).toMatch(/<itunes:block>Yes</);
  expect(await read()).toEqual([third]);
  await db.update(feedLinks).set({ replacedAt: null, replacedBecause: null }).where(link);
  expect((await get(url, { headers: [`If-None-Match: ${etag}`] })).status).toBe(200);
  expect((await read()).map(([title]) => title)).toEqual(['Primero', 'Avance', 'Privado']);
});

test('one feed has everything that its listener has, and nothing else', async () => {
  const person = await make.person();
  await person.api.feeds.follow(follow);
  await give({ ...subscription, userId: person.id, endsAt: null });
  const [all, other] = [await urlOf(person.api, null), await urlOf(person.api, null, 'castro')];
  const both = await get(all);
  const audio = audioIn(both.body, `${paidPodcast.name}: Privado`);

  expect(titlesIn(both.body).sort()).toEqual(
    ['Primero', 'Avance', 'Privado']
      .flatMap((title) => [`${podcast.name}: ${title}`, `${paidPodcast.name}: ${title}`])
      .sort(),
  );
  expect((await get(audio)).status).toBe(200);
  await take({ ...subscription, userId: person.id });
  expect(titlesIn((await get(all)).body)).toHaveLength(3);
  expect((await get(audio)).status).toBe(404);
  await person.api.feeds.unfollow(follow);
  expect(titlesIn((await get(all)).body)).toEqual([NOTICE]);
  await person.api.feeds.replaceLink({ productId: null, app: 'overcast' });
  expect([(await get(all)).status, (await get(other)).status]).toEqual([404, 200]);
});

test('a feed names its listener if the creator says so', async () => {
  const [one, other] = [await make.person({ name: 'Ana <Ñ> & "Co"' }), await make.person({ name: 'Bo' })];
  for (const { id } of [one, other]) await give({ ...subscription, userId: id, endsAt: null });
  const urls = [await urlOf(one.api, paidPodcast.id), await urlOf(other.api, paidPodcast.id)];
  const titles = async () => Promise.all(urls.map(async (url) => parseRssFeed((await get(url)).body).title));

  const plain = await titles();
  await lucia.api.products.update({ id: paidPodcast.id, kind: 'podcast', namesListener: true });
  const named = await titles();
  await lucia.api.products.update({ id: paidPodcast.id, kind: 'podcast', namesListener: false });

  expect(plain).toEqual([paidPodcast.name, paidPodcast.name]);
  expect(named).toEqual([`${paidPodcast.name} (Ana <Ñ> & "Co")`, `${paidPodcast.name} (Bo)`]);
});

test('guessed and forged addresses open nothing, and say no more than unknown ones', async () => {
  await give({ ...subscription, endsAt: null });
  const url = await urlOf(tom.api, paidPodcast.id);
  const xml = (await get(url)).body;
  const audio = audioIn(xml, 'Privado');
  const inFree = episodes.podcast.private.id;
  const unknown = await get(`/feed/private/${'A'.repeat(27)}`);

  const tokens = [url.slice(0, -1), `${url}A`, url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')), `${url}%00`];
  for (const guess of [...tokens, '/feed/private/', '/feed/private/..%2f']) expect((await get(guess)).status).toBe(404);
  expect(unknown.body).not.toMatch(/[A-Z]{4}/);
  const access = audio.slice(audio.indexOf('?feed='));
  const [, link, signature] = /feed=(\d+)-(.*)/.exec(access)!;
  const forged = [
    `/audio/${inFree}/x.mp3${access}`,
    `/audio/${secret.id}/x.mp3?feed=${Number(link) + 1}-${signature}`,
    `/audio/${secret.id}/x.mp3?feed=${link}-${signature!.slice(0, -1)}`,
    `/audio/${secret.id}/x.mp3?feed=${link}-${'A'.repeat(43)}`,
    `/audio/${secret.id}/x.mp3?feed=${link}`,
    `/audio/${secret.id}/x.mp3?feed=`,
    `/transcripts/${secret.id}/x.txt?feed=${link}-${'A'.repeat(43)}`,
  ];
  for (const address of forged) expect([address, (await get(address)).status]).toEqual([address, 404]);
});

test('no listener reads or replaces addresses of shows that they may not hear, or of other listeners', async () => {
  await give({ ...subscription, endsAt: null });
  const before = await urlOf(tom.api, paidPodcast.id);

  for (const api of [ada.api, lucia.api, visitor]) {
    await expect(api.feeds.privateLinks(show)).rejects.toThrow();
    await expect(api.feeds.replaceLink({ ...show, app: 'overcast' })).rejects.toThrow();
  }

  expect(await urlOf(tom.api, paidPodcast.id)).toBe(before);
  const stored = await db.select().from(feedLinks).where(eq(feedLinks.userId, tom.id)).orderBy(feedLinks.id);
  expect(JSON.stringify(stored)).not.toContain(before.slice(-27));
});

test('two visits at once create one address for each app', async () => {
  const person = await make.person();
  await person.api.feeds.follow(follow);

  const lists = await Promise.all([1, 2, 3].map(() => person.api.feeds.privateLinks(follow)));

  expect(new Set(lists.map((links) => links.map(({ url }) => url).join())).size).toBe(1);
  expect(lists[0]).toHaveLength(7);
});

// ── following with an email address ──
beforeEach(() => db.execute(sql`delete from rate_limits`));
const deliver = () => runJobs(runtime, sendFollowLink.name, (payload, ctx) => queueFollowLink(ctx, payload));
async function emailsTo(email: string) {
  return db.select().from(outbox).where(eq(outbox.to, email)).orderBy(outbox.createdAt);
}
async function linkFor(email: string, productId = podcast.id): Promise<string> {
  await visitor.feeds.requestFollow({ email, productId });
  await deliver();
  const sent = (await emailsTo(email)).filter(({ topic }) => topic === 'follow_show');
  return /token=(\S+)/.exec(sent.at(-1)!.text)![1]!;
}

test('an unknown address follows with a link: an account without a password, a grant, and a feed that works', async () => {
  const email = 'new@mail.example';
  const token = await linkFor(email);
  expect(await db.$count(users, eq(users.email, email))).toBe(0);
  expect(await visitor.feeds.followLink({ token })).toMatchObject({ email, show: podcast.name });
  expect(await db.$count(users, eq(users.email, email))).toBe(0);

  const [one, two] = await Promise.all([
    visitor.feeds.confirmFollow({ token }),
    visitor.feeds.confirmFollow({ token }),
  ]);

  const [user] = await db.select().from(users).where(eq(users.email, email));
  expect(user).toMatchObject({ passwordHash: null, signedUpWith: 'email', emailVerifiedAt: expect.any(Date) });
  expect(one).toEqual(two);
  const { body } = await get(one.links[0]!.url);
  expect(parseRssFeed(body).items?.map(({ title }) => title)).toEqual(['Primero', 'Avance', 'Privado']);
  expect(await db.$count(grants, eq(grants.userId, user!.id))).toBe(1);
});

test('a known address gets the same answer, the same email and no second account, and the visitor stays logged out', async () => {
  await visitor.feeds.requestFollow({ email: 'unknown@mail.example', productId: podcast.id });
  await visitor.feeds.requestFollow({ email: ada.email, productId: podcast.id });
  await deliver();
  const subjects = async (email: string) =>
    (await emailsTo(email)).filter(({ topic }) => topic === 'follow_show').map(({ subject }) => subject);

  expect(await subjects(ada.email)).toEqual(await subjects('unknown@mail.example'));
  const sessionsBefore = await runtime.sessions.read(ada.token);
  const followed = await visitor.feeds.confirmFollow({ token: await linkFor(ada.email) });
  expect(followed.isVerified).toBe(true);
  expect(await runtime.sessions.read(ada.token)).toEqual(sessionsBefore);
  expect((await ada.api.feeds.mine()).shows.map(({ product }) => product.id)).toEqual([podcast.id]);
});

test('an account that was never verified stays so, because an attacker may have created it', async () => {
  const squatter = await make.person({ email: 'victim@mail.example' });

  const { isVerified } = await visitor.feeds.confirmFollow({ token: await linkFor(squatter.email) });

  expect(isVerified).toBe(false);
  const [user] = await db.select().from(users).where(eq(users.id, squatter.id));
  expect(user!.emailVerifiedAt).toBeNull();
  expect((await emailsTo(squatter.email)).at(-1)!.topic).toBe('verify_email');
});

test('a link ends with the follow, and after two days', async () => {
  const email = 'replay@mail.example';
  const token = await linkFor(email);
  const start = clock.now;
  await visitor.feeds.confirmFollow({ token });
  const [user] = await db.select().from(users).where(eq(users.email, email));

  clock.now = later(start, SECONDS(10));
  await transact(visitorCtx(), (tx) =>
    endAccess(tx, { userId: user!.id, productId: podcast.id, source: 'follow', at: clock.now }),
  );
  await expect(visitor.feeds.confirmFollow({ token })).toFailWith('feed.follow_link_expired');
  const fresh = await linkFor(email);
  clock.now = later(clock.now, DAYS(2) + 1);
  await expect(visitor.feeds.confirmFollow({ token: fresh })).toFailWith('feed.follow_link_expired');
  await expect(visitor.feeds.followLink({ token: fresh })).toFailWith('feed.follow_link_expired');
  clock.now = start;
});

test('forged links and links for another purpose follow nothing', async () => {
  const token = await linkFor('forger@mail.example');
  const [name = '', signature = ''] = token.split('.');
  const rename = (text: string) => `${Buffer.from(text).toString('base64url')}.${signature}`;
  const plain = Buffer.from(name, 'base64url').toString();
  const { url } = unsubscribeLink(runtime, { email: 'forger@mail.example', productId: podcast.id }, 'en');
  const forged = [
    '',
    '.',
    name,
    `${token}A`,
    token.slice(0, -1),
    rename(plain.replace('forger', 'victim')),
    rename(plain.replace(/^\d+/, String(paidPodcast.id))),
    rename(plain.replace(/ \d+ /, ` ${clock.now.getTime() + 1} `)),
    url.slice(url.indexOf('token=') + 6),
  ];

  for (const attempt of forged)
    await expect(visitor.feeds.confirmFollow({ token: attempt })).toFailWith('feed.follow_link_expired');
});

test('a show that is sold, archived or unknown can’t be followed', async () => {
  const email = 'a@mail.example';
  const archived = await make.product(lucia, { archivedAt: clock.now });

  await expect(visitor.feeds.requestFollow({ email, ...show })).toFailWith('access.not_free');
  await expect(tom.api.feeds.follow(show)).toFailWith('access.not_free');
  for (const productId of [archived.id, 999_999]) {
    await expect(visitor.feeds.requestFollow({ email, productId })).toFailWith('product.not_found');
    await expect(tom.api.feeds.follow({ productId })).toFailWith('product.not_found');
  }
});

test('an address gets a few of these emails a day, from all visitors and for all shows together', async () => {
  const email = 'flooded@mail.example';
  const other = await make.product(lucia, { name: 'Otro' });
  const language = 'en' as const;

  const requests = Array.from({ length: 8 }, (_, i) => ({ email, language, productId: i % 2 ? podcast.id : other.id }));
  await Promise.all(requests.map((request) => queueFollowLink(visitorCtx(), request)));

  expect(await emailsTo(email)).toHaveLength(FOLLOW_LIMITS.perWindow);
});

test('following again brings the emails back that the address had unsubscribed from', async () => {
  const person = await make.person();
  const optOut = { email: person.email, productId: podcast.id };
  await db.insert(episodeEmailOptOuts).values(optOut);

  await person.api.feeds.follow(follow);
  const isOptedOut = await db.$count(episodeEmailOptOuts, eq(episodeEmailOptOuts.email, person.email));
  const followed = await person.api.feeds.mine();
  const { items: latest } = await person.api.feeds.episodes({});
  await person.api.feeds.unfollow(follow);

  expect(isOptedOut).toBe(0);
  expect(followed.shows).toMatchObject([{ isFollowed: true, product: { id: podcast.id } }]);
  expect(latest.map(({ name, hasAccess }) => [name, hasAccess])).toEqual([
    ['Primero', true],
    ['Avance', true],
    ['Privado', true],
  ]);
  expect((await person.api.feeds.mine()).shows).toEqual([]);
});
