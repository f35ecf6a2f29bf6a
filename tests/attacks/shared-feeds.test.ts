import { and, eq, sql } from 'drizzle-orm';
import { parseRssFeed } from 'feedsmith';
import { expect, test } from 'vitest';
import { feedFetches, feedLinks, sharedFeeds } from '~/db/schema/feeds';
import { outbox } from '~/db/schema/notifications';
import { DAYS, HOURS, later } from '~/server/base/time';
import { grantAccess } from '~/server/domain/access/grant-access';
import { dealWithSharedFeed, findSharedFeeds } from '~/server/domain/feeds/shared-feeds';
import { SHARING_LIMITS } from '~/server/limits/feeds';
import { dealWithSharing } from '~/server/queue/jobs/feeds';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import '../support/matchers';
import { attackedServer } from '../support/attacked-server';
import { until } from '../support/audio-door';
import { runJobs } from '../support/run-jobs';

const server = await attackedServer({ TRUST_PROXY: '1' });
const { runtime, clock, make, visitorCtx, paidPodcast, sendRaw } = server;
const { db } = runtime;
await db.execute(sql`select make_listening_partitions(${clock.now.toISOString()}::date, 4)`);
const IPHONE = 'AppleCoreMedia/1.0.0.21F79 (iPhone; U; CPU OS 17_5 like Mac OS X; es_es)';

async function get(url: string, { from = '203.0.113.9', agent = IPHONE, range = '' } = {}) {
  const lines = [
    `GET ${url.replace(/^https?:\/\/[^/]+/, '')} HTTP/1.1`,
    'Host: altavoz.localhost:3000',
    `User-Agent: ${agent}`,
    `X-Forwarded-For: ${from}`,
    ...(range === '' ? [] : [`Range: bytes=${range}`]),
    'Connection: close',
  ];
  const { status, body } = await sendRaw(lines.join('\r\n'), '\r\n\r\n');
  return { status, body: Buffer.from(body, 'latin1').toString() };
}

/** A listener with a private feed. */
async function listener(language: 'en' | 'es') {
  const person = await make.person({ language, name: 'Noa' });
  const grant = { userId: person.id, productId: paidPodcast.id, source: 'subscription', endsAt: null } as const;
  await transact(visitorCtx(), (tx) => grantAccess(tx, grant));
  const links = await person.api.feeds.privateLinks({ productId: paidPodcast.id });
  const { url } = links.find(({ app }) => app === 'overcast')!;
  const own = eq(feedLinks.userId, person.id);
  const read = async () => parseRssFeed((await get(url)).body);
  const audio = async (title = 'Privado') =>
    (await read()).items!.find((item) => item.title === title)!.enclosures![0]!.url!;
  const list = () => person.api.feeds.privateLinks({ productId: paidPodcast.id });
  const linkId = async () => {
    const rows = await db
      .select({ id: feedLinks.id, app: feedLinks.app })
      .from(feedLinks)
      .where(own)
      .orderBy(feedLinks.id);
    return rows.find(({ app }) => app === 'overcast')!.id;
  };
  return { ...person, url, read, audio, links: list, linkId: await linkId() };
}

const rowsOf = (linkId: number) =>
  db.select().from(feedFetches).where(eq(feedFetches.linkId, linkId)).orderBy(feedFetches.at);
const fetched = (linkId: number, count: number) =>
  until(async () => (await db.$count(feedFetches, eq(feedFetches.linkId, linkId))) >= count);
const emailsTo = (email: string) =>
  db
    .select()
    .from(outbox)
    .where(and(eq(outbox.to, email), eq(outbox.topic, 'feed_shared')))
    .orderBy(outbox.createdAt);
const set = (sharedFeeds: 'watch' | 'notify' | 'replace') => Object.assign(runtime.settings, { sharedFeeds });

async function look() {
  await findSharedFeeds(systemCtx(runtime, 'test'));
  return runJobs(runtime, dealWithSharing.name, (payload, ctx) => dealWithSharedFeed(ctx, payload));
}

/** Fetches from as many homes as the users of a shared link have. */
async function share({ linkId, audio }: Awaited<ReturnType<typeof listener>>, people = 9) {
  const before = await db.$count(feedFetches, eq(feedFetches.linkId, linkId));
  const url = await audio();
  for (let i = 1; i <= people; i++) await get(url, { from: `198.51.${i}.7` });
  await fetched(linkId, before + people);
}

test('a household on its way, other apps and servers leave few rows, without an address in clear', async () => {
  const noa = await listener('en');
  const url = await noa.audio();
  const [first, public1] = [await get(url), await noa.audio('Primero')];

  await get(url, { from: '203.0.113.200' });
  await get(url, { from: '2001:db8:1:2::1', agent: 'AntennaPod/3.4.0' });
  await get(url, { from: '2001:db8:1:2:9::9', agent: 'AntennaPod/3.5.0' });
  await get(url, { from: '198.51.100.1', range: '20000-' });
  await get(url, { from: '198.51.101.1', range: '0-1' });
  await get(url, { from: '198.51.102.1', agent: 'Spotify/1.0' });
  await get(url, { from: '198.51.103.1', agent: 'Googlebot/2.1' });
  await get(url, { from: '17.58.99.1' });
  await get(
    url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    { from: '198.51.104.1' },
  );
  await get(public1, { from: '198.51.105.1' });
  await fetched(noa.linkId, 3);
  await runtime.recorders.drained();

  const rows = await rowsOf(noa.linkId);
  expect(first.status).toBe(200);
  expect(rows.map(({ app }) => app).sort()).toEqual(['antennapod', 'apple_podcasts', 'apple_podcasts']);
  expect(new Set(rows.map(({ network }) => network)).size).toBe(3);
  expect(JSON.stringify(rows)).not.toMatch(/203\.0|2001|198\.51/);
  set('replace');
  expect(await look()).toBe(0);
  expect(await db.$count(sharedFeeds)).toBe(0);
});

test('watch only logs; notify emails the listener once; replace changes the address a week later', async () => {
  const noa = await listener('es');
  const start = clock.now;
  set('watch');
  await share(noa);
  await look();
  const watched = await db
    .select()
    .from(sharedFeeds)
    .where(eq(sharedFeeds.linkId, noa.linkId))
    .orderBy(sharedFeeds.linkId);
  expect(watched).toMatchObject([{ networks: 9, apps: 1, notifiedAt: null }]);
  expect(await emailsTo(noa.email)).toEqual([]);

  set('replace');
  const ctx = systemCtx(runtime, 'test');
  await Promise.all([1, 2].map(() => dealWithSharedFeed(ctx, { linkId: noa.linkId })));
  await look();
  const told = await emailsTo(noa.email);
  expect(told.map(({ subject }) => subject)).toEqual(['¿Alguien más usa tu feed privado?']);
  expect(told[0]!.text).toContain('9 conexiones');
  expect(told[0]!.text).toMatch(/\/feed\/\d+\?replace=overcast/);
  expect(told[0]!.text).toContain('cambiaremos la dirección');

  clock.now = later(start, SHARING_LIMITS.grace + HOURS(1));
  await look();
  expect((await noa.read()).items).toHaveLength(3);
  await share(noa);
  set('notify');
  await look();
  expect((await noa.read()).items).toHaveLength(3);
  set('replace');
  await look();
  expect((await noa.read()).items!.map(({ title }) => title)).toEqual(['Este feed tiene una dirección nueva']);
  const links = await noa.links();
  expect(links.find(({ app }) => app === 'overcast')).toMatchObject({ sharedAt: clock.now });
  expect(links.filter(({ sharedAt }) => sharedAt !== null)).toHaveLength(1);
  expect(links.find(({ app }) => app === 'overcast')!.url).not.toBe(noa.url);
  expect(await emailsTo(noa.email)).toHaveLength(1);

  await noa.api.feeds.replaceLink({ productId: paidPodcast.id, app: 'overcast' });
  expect((await noa.links()).every(({ sharedAt }) => sharedAt === null)).toBe(true);
  clock.now = start;
});

test('a listener who replaces the link meanwhile keeps the new one, and the observation is deleted', async () => {
  const noa = await listener('en');
  const start = clock.now;
  set('notify');
  await share(noa);
  await look();
  const [email] = await emailsTo(noa.email);
  expect(email!.text).not.toContain('we will replace');

  await noa.api.feeds.replaceLink({ productId: paidPodcast.id, app: 'overcast' });
  set('replace');
  clock.now = later(start, SHARING_LIMITS.grace + DAYS(1));
  await look();
  expect(await rowsOf(noa.linkId)).toEqual([]);
  const shared = and(eq(feedLinks.userId, noa.id), eq(feedLinks.replacedBecause, 'shared'));
  expect(await db.$count(feedLinks, shared)).toBe(0);
  clock.now = later(start, SHARING_LIMITS.forgotten + DAYS(1));
  await look();
  expect(await db.$count(sharedFeeds, eq(sharedFeeds.linkId, noa.linkId))).toBe(0);
  clock.now = start;
  expect(server.faults()).toEqual([]);
});
