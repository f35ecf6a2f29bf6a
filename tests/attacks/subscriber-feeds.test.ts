import { and, eq, like } from 'drizzle-orm';
import { parseRssFeed } from 'feedsmith';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { feedLinks, sharedFeeds } from '~/db/schema/feeds';
import { outbox } from '~/db/schema/notifications';
import { products } from '~/db/schema/products';
import { activity } from '~/db/schema/team';
import { endAccess, grantAccess } from '~/server/domain/access/grant-access';
import { insertFetches } from '~/server/domain/feeds/fetches';
import { dealWithSharedFeed, findSharedFeeds } from '~/server/domain/feeds/shared-feeds';
import { dealWithSharing } from '~/server/queue/jobs/feeds';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { APP_HOST, attackedServer } from '../support/attacked-server';
import { runJobs } from '../support/run-jobs';
import { keyMaker, v1Client } from '../support/v1-client';

const server = await attackedServer();
const { runtime, clock, lucia, ada, make, paidPodcast, episodes, sendRaw, pauseAt } = server;
const { db } = runtime;
const api = v1Client(server);
const keyOf = keyMaker(server);
const key = await keyOf(lucia);
const ctx = systemCtx(runtime, 'test');
const { id: productId } = paidPodcast;
await db.update(products).set({ namesListener: true }).where(eq(products.id, productId));

const give = (grant: Parameters<typeof grantAccess>[1]) => transact(ctx, (tx) => grantAccess(tx, grant));

/** A person with free access, and the calls about their feed. */
async function stage(show = paidPodcast) {
  const person = await make.person({ name: 'Secret Name', language: 'en' });
  await db.update(users).set({ emailVerifiedAt: clock.now }).where(eq(users.id, person.id));
  const grant = { userId: person.id, productId: show.id, source: 'gift' } as const;
  await give(grant);
  const path = `/shows/${show.id}/subscribers/${person.id}/feed`;
  const links = and(eq(feedLinks.userId, person.id), eq(feedLinks.app, 'creator'));
  return {
    ...{ person, grant, path },
    create: (by = key) => api.post(path, { key: by }),
    replace: (by = key) => api.post(`${path}/replace`, { key: by }),
    revoke: (by = key) => api.delete(path, { key: by }),
    live: () => db.$count(feedLinks, links),
    mails: () => db.$count(outbox, and(eq(outbox.to, person.email), eq(outbox.topic, 'feed_ended'))),
  };
}

async function get(url: unknown) {
  const path = String(url).replace(/^https?:\/\/[^/]+/, '');
  const { status, body } = await sendRaw(`GET ${path} HTTP/1.1\r\nHost: ${APP_HOST}\r\nConnection: close`, '\r\n\r\n');
  return { status, body: Buffer.from(body, 'latin1').toString() };
}
const ownUrl = async ({ api: own }: { api: typeof ada.api }) =>
  (await own.feeds.privateLinks({ productId })).find(({ app }) => app === 'overcast')!.url;

test('the address of a feed is told once, and the feed says nothing about the account', async () => {
  const { create, path, person } = await stage();
  await db.update(products).set({ language: 'es' }).where(eq(products.id, productId));

  const made = await create();
  const [again, read] = [await create(), await api.get(path, { key })];
  const feed = await get(made.body.url);

  expect([made.status, again.status, again.body.code]).toEqual([201, 409, 'feed.made_already']);
  expect(Object.keys(read.body)).toEqual(['created_at']);
  expect(feed.status).toBe(200);
  expect(parseRssFeed(feed.body).items!.length).toBeGreaterThan(0);
  expect(feed.body).not.toContain('Secret Name');
  expect(feed.body).not.toContain(person.email);
  expect((await get(await ownUrl(person))).body).toContain('Secret Name');
});

test('a feed ends with the access, with a notice in the language of the show', async () => {
  const { create, grant } = await stage();
  const { body } = await create();

  await transact(ctx, (tx) => endAccess(tx, grant));
  const { status, body: xml } = await get(body.url);

  expect(status).toBe(200);
  expect(parseRssFeed(xml).items).toHaveLength(1);
  expect(xml).toContain('notice-ended-es.mp3');
});

test('a replaced feed has another address, and the person is told; their own addresses stay', async () => {
  const { create, replace, mails, person } = await stage();
  const [own, first] = [await ownUrl(person), await create()];
  const before = await get(first.body.url);
  const audio = parseRssFeed(before.body).items!.find(({ title }) => title === 'Privado')!.enclosures![0]!.url!;
  const heard = await get(audio);

  const second = await replace();

  expect(second.status).toBe(200);
  expect(Object.keys(second.body).sort()).toEqual(['created_at', 'url']);
  const found = [first.body.url, audio, second.body.url, own].map(async (url) => (await get(url)).status);
  expect([heard.status, ...(await Promise.all(found))]).toEqual([200, 404, 404, 200, 200]);
  expect(await mails()).toBe(1);
  expect(await ownUrl(person)).toBe(own);
});

test('an ended feed is gone, can be made again, and never touches the addresses of its subscriber', async () => {
  const { create, revoke, path, replace, live, person } = await stage();
  const [own, first] = [await ownUrl(person), await create()];

  const ended = await revoke();
  const [again, read, replaced] = [await revoke(), await api.get(path, { key }), await replace()];
  const gone = await get(first.body.url);
  const next = await create();

  expect([ended.status, again.status, read.status, replaced.status]).toEqual([204, 404, 404, 404]);
  expect([gone.status, (await get(own)).status, (await get(next.body.url)).status]).toEqual([404, 200, 200]);
  expect(await live()).toBe(1);
  const isAbout = and(eq(activity.subjectId, person.id), like(activity.action, 'buyer.%'));
  const log = await db.select().from(activity).where(isAbout).orderBy(activity.id);
  expect(log.map(({ action }) => action)).toEqual(['buyer.feed_created', 'buyer.feed_revoked', 'buyer.feed_created']);
});

test('of two replacements at the same time, one wins, and its address works', async () => {
  const { create, replace, live, mails } = await stage();
  await create();
  const pause = pauseAt('subscriber-feed.read');
  const slow = replace();
  await pause.reachedBy(slow);

  const fast = await replace();
  pause.goOn();

  expect([fast.status, (await slow).status, (await slow).body.code]).toEqual([200, 409, 'feed.replaced_meanwhile']);
  expect([await live(), await mails()]).toEqual([1, 1]);
  expect((await get(fast.body.url)).status).toBe(200);
});

test('a feed that is replaced while it is ended keeps its new address', async () => {
  const { create, replace, revoke, mails } = await stage();
  await create();
  const pause = pauseAt('subscriber-feed.read');
  const slow = revoke();
  await pause.reachedBy(slow);

  const fast = await replace();
  pause.goOn();

  expect([(await slow).status, (await slow).body.code]).toEqual([409, 'feed.replaced_meanwhile']);
  expect([(await get(fast.body.url)).status, await mails()]).toEqual([200, 1]);
});

test('fifty calls at the same time make one feed', async () => {
  const { create, live } = await stage();

  const answers = await Promise.all(Array.from({ length: 50 }, () => create()));

  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(49).fill(409)]);
  expect(await live()).toBe(1);
});

test('another creator reaches neither the feed nor its subscriber, also through a show of theirs', async () => {
  const { create, replace, revoke, path, person, live } = await stage();
  const other = await keyOf(ada);
  const theirs = await make.product(ada, { name: 'Waves', priceMinor: 500 });
  await create();

  const calls = [await create(other), await replace(other), await revoke(other), await api.get(path, { key: other })];
  const stranger = await api.post(`/shows/${theirs.id}/subscribers/${person.id}/feed`, { key: other });
  await give({ userId: person.id, productId: theirs.id, source: 'gift' });
  const made = await api.post(`/shows/${theirs.id}/subscribers/${person.id}/feed`, { key: other });
  const ended = await api.delete(`/shows/${theirs.id}/subscribers/${person.id}/feed`, { key: other });

  expect(calls.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect([stranger.status, stranger.body.code]).toEqual([404, 'buyer.not_found']);
  expect([made.status, ended.status]).toEqual([201, 204]);
  expect((await get(made.body.url)).status).toBe(404);
  expect(await live()).toBe(1);
});

test('a feed of one show has nothing of the other shows of its subscriber', async () => {
  const { create, person } = await stage();
  const other = await make.product(lucia, { name: 'Another show', priceMinor: 500 });
  await give({ userId: person.id, productId: other.id, source: 'subscription' });

  const { body } = await get((await create()).body.url);

  expect(body).not.toContain('Another show');
});

test('without access, no feed is made or replaced, but an old one can be ended', async () => {
  const { create, replace, revoke, grant, mails } = await stage();
  await create();
  await transact(ctx, (tx) => endAccess(tx, grant));

  const [made, replaced, ended] = [await create(), await replace(), await revoke()];

  expect([made.body.code, replaced.body.code]).toEqual(['feed.no_access', 'feed.no_access']);
  expect([ended.status, await mails()]).toEqual([204, 0]);
});

test('an address gets three emails a day, however often its feed is replaced', async () => {
  const { create, replace, mails } = await stage();
  await create();

  for (let i = 0; i < 4; i += 1) await replace();

  expect(await mails()).toBe(3);
});

test('an address that nobody has verified gets no email about a feed', async () => {
  const { create, replace, revoke, mails, person } = await stage();
  await db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, person.id));
  await create();

  const [replaced, revoked] = [await replace(), await revoke()];

  expect([replaced.status, revoked.status, await mails()]).toEqual([200, 204, 0]);
});

test('a feed is replaced ten times a day by its creator, and no row of a former address stays', async () => {
  const { create, replace, live } = await stage();
  await create();
  const other = await keyOf(ada);
  for (let i = 0; i < 10; i += 1) await replace(other);

  const statuses = [];
  for (let i = 0; i < 11; i += 1) statuses.push((await replace()).status);

  expect(statuses).toEqual([...Array(10).fill(200), 429]);
  expect(await live()).toBe(1);
});

test('a feed that many people use is noted, but its subscriber gets no email', async () => {
  Object.assign(runtime.settings, { sharedFeeds: 'replace' });
  const { create, person } = await stage();
  const made = await create();
  const [link] = await db.select().from(feedLinks).where(eq(feedLinks.userId, person.id));
  const { id: episodeId } = episodes.paidPodcast.private;
  const fetches = Array.from({ length: 20 }, (_, i) => ({
    ...{ linkId: link!.id, episodeId, network: `n${i}`, app: 'overcast', at: clock.now },
  }));
  await insertFetches(db, fetches);

  await findSharedFeeds(ctx);
  await runJobs(runtime, dealWithSharing.name, (job, jobCtx) => dealWithSharedFeed(jobCtx, job));

  expect(await db.$count(sharedFeeds, eq(sharedFeeds.linkId, link!.id))).toBe(1);
  expect((await db.select().from(sharedFeeds).where(eq(sharedFeeds.linkId, link!.id)))[0]!.notifiedAt).toBe(null);
  expect((await get(made.body.url)).status).toBe(200);
});

test('its listener sees that there is a feed of the creator, without its address, and ends it', async () => {
  const { create, live, person } = await stage();
  const { body } = await create();
  const other = await make.person();
  await give({ userId: other.id, productId, source: 'subscription' });

  const [mine, theirs] = [
    await person.api.feeds.creatorsLink({ productId }),
    await other.api.feeds.creatorsLink({ productId }),
  ];
  const apps = (await person.api.feeds.privateLinks({ productId })).map(({ app }) => app as string);
  await other.api.feeds.endCreatorsLink({ productId });
  const after = await get(body.url);
  await person.api.feeds.endCreatorsLink({ productId });

  expect([Object.keys(mine!), theirs]).toEqual([['createdAt'], null]);
  expect([after.status, (await get(body.url)).status]).toEqual([200, 404]);
  expect(await live()).toBe(0);
  expect(apps).not.toContain('creator');
});
