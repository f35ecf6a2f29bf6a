import { eq } from 'drizzle-orm';
import { parseRssFeed } from 'feedsmith';
import { beforeAll, expect, test } from 'vitest';
import { episodes as episodeRows } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { spotifyShows } from '~/db/schema/spotify';
import { DAYS, later } from '~/server/base/time';
import { uploadTranscript } from '~/server/domain/episodes/transcripts';
import { deliverShow as deliver } from '~/server/domain/spotify/deliver-show';
import { checkConformance } from '~/server/feed/conformance/check';
import { deliverShow } from '~/server/queue/jobs/spotify';
import { attackedServer } from '../support/attacked-server';
import { runJobs } from '../support/run-jobs';
import { spotifyStage } from '../support/spotify';

const server = await attackedServer();
const { runtime, clock, lucia, ctxOf, paidPodcast, podcast, episodes, sendRaw } = server;
const { sandbox, link } = await spotifyStage(server);
const { db } = runtime;
const secret = episodes.paidPodcast.private;
let url = '';

async function get(address: string, { headers = [] as string[], method = 'GET' } = {}) {
  const path = address.replace(/^https?:\/\/[^/]+/, '');
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: altavoz.localhost:3000', 'Connection: close', ...headers];
  const { status, head, body } = await sendRaw(lines.join('\r\n'), '\r\n\r\n');
  return { status, head, body: Buffer.from(body, 'latin1').toString() };
}
const itemsOf = async () => parseRssFeed((await get(url)).body).items!;
const audioOf = async (title: string) => (await itemsOf()).find((item) => item.title === title)!.enclosures![0]!.url!;
const setShow = (values: Partial<typeof spotifyShows.$inferInsert>) =>
  db.update(spotifyShows).set(values).where(eq(spotifyShows.productId, paidPodcast.id));

beforeAll(async () => {
  const transcript = { id: secret.id, kind: 'podcast', fileName: 'a.txt', content: btoa('Words') } as const;
  await uploadTranscript(ctxOf(lucia), transcript);
  await link(lucia, 'lucia');
  for (const { id } of [paidPodcast, podcast]) await lucia.api.spotify.publish({ productId: id });
  await runJobs(runtime, deliverShow.name, (payload, ctx) => deliver(ctx, payload));
  const [row] = await db.select().from(spotifyShows).where(eq(spotifyShows.productId, paidPodcast.id));
  url = (await sandbox.store.feed(row!.spotifyUri!))!.url;
});

test('the feed names the entitlement of its private episodes only, and no transcript', async () => {
  const { status, head, body } = await get(url);

  expect(status).toBe(200);
  expect(head).toMatch(/^cache-control: private, no-cache\r$/im);
  expect(head).toMatch(/^x-robots-tag: noindex/im);
  const feed = parseRssFeed(body);
  expect(feed.items!.map(({ title }) => title)).toEqual(['Primero', 'Avance', 'Privado']);
  expect(body).toContain('xmlns:spotify="http://www.spotify.com/ns/rss"');
  expect(body).toMatch(/<spotify:access>\s*<partner id="sandbox-partner"\s*\/>\s*<sandbox enabled="true"\s*\/>/);
  const named = body.split('<item>').map((item) => /<entitlement name="([^"]+)"/.exec(item)?.[1] ?? null);
  expect(named).toEqual([null, null, null, `show_${paidPodcast.id}`]);
  expect(body).not.toMatch(/transcript|<itunes:block>/i);
  expect(checkConformance(body).filter(({ rule }) => rule.startsWith('spotify'))).toEqual([]);
});

test('the feed is revalidated, and only read', async () => {
  const [, etag = ''] = /^etag: (.+)\r$/im.exec((await get(url)).head) ?? [];

  expect((await get(url, { headers: [`If-None-Match: ${etag}`] })).status).toBe(304);
  expect((await get(url, { method: 'HEAD' })).status).toBe(200);
  expect((await get(url, { method: 'POST' })).status).toBe(405);
  const gzipped = await get(url, { headers: ['Accept-Encoding: gzip'] });
  expect(gzipped.head).toMatch(/^content-encoding: gzip\r$/im);
});

test('private audio needs the address of the feed: another episode, show or signature opens nothing', async () => {
  const audio = await audioOf('Privado');
  expect((await get(audio)).status).toBe(200);

  const other = episodes.podcast.private;
  const forged = [
    audio.replace(/\?.*/, ''),
    `${audio.slice(0, -1)}${audio.endsWith('A') ? 'B' : 'A'}`,
    audio.replace('feed=s', 'feed='),
    audio.replace(/feed=s\d+/, 'feed=s999'),
    audio.replace(`/audio/${secret.id}/`, `/audio/${other.id}/`),
    (await audioOf('Primero')).replace(/\/audio\/\d+\//, `/audio/${secret.id}/`),
  ];
  for (const address of forged) expect((await get(address)).status, address).toBe(404);
  const { search } = new URL(audio);
  const words = runtime.urls.transcript(secret.id, secret.slug, 'txt');
  expect((await get(words + search)).status).toBe(404);
  expect((await get(runtime.urls.chapters(secret.id) + search)).status).toBe(404);
});

test('unknown tokens, and the token of a private feed’s form, find nothing', async () => {
  for (const path of ['/feed/spotify/unknown', `/feed/spotify/${'a'.repeat(101)}`, '/feed/spotify/', '/feed/private/x'])
    expect((await get(path)).status, path).toBe(404);
});

test('with the withdrawal, the feed and its files stop working at once', async () => {
  const audio = await audioOf('Privado');
  await setShow({ state: 'leaving' });

  expect([(await get(url)).status, (await get(audio)).status]).toEqual([404, 404]);

  await setShow({ state: 'live' });
  expect([(await get(url)).status, (await get(audio)).status]).toEqual([200, 200]);
});

test('a show that is taken down or retired is not served', async () => {
  const audio = await audioOf('Privado');
  for (const values of [{ takenDownAt: clock.now }, { retiredAt: clock.now }]) {
    await db.update(products).set(values).where(eq(products.id, paidPodcast.id));
    expect([(await get(url)).status, (await get(audio)).status]).toEqual([404, 404]);
    await db.update(products).set({ takenDownAt: null, retiredAt: null }).where(eq(products.id, paidPodcast.id));
  }
});

test('a drip, an unpublished episode and a deleted one leave nothing for Spotify', async () => {
  const audio = await audioOf('Privado');
  const setEpisode = (values: Partial<typeof episodeRows.$inferInsert>) =>
    db.update(episodeRows).set(values).where(eq(episodeRows.id, secret.id));
  await db.update(products).set({ dripDays: 7 }).where(eq(products.id, paidPodcast.id));
  expect((await itemsOf()).map(({ title }) => title)).toEqual(['Primero', 'Avance']);
  expect((await get(audio)).status).toBe(404);
  await db.update(products).set({ dripDays: 0 }).where(eq(products.id, paidPodcast.id));

  for (const values of [{ status: 'on_hold' as const }, { deletedAt: clock.now }, { takenDownAt: clock.now }]) {
    await setEpisode(values);
    expect((await itemsOf()).map(({ title }) => title)).toEqual(['Primero', 'Avance']);
    expect((await get(audio)).status).toBe(404);
    await setEpisode({ status: 'published', deletedAt: null, takenDownAt: null });
  }
});

test('an episode in early access needs the entitlement until it is open', async () => {
  const open = episodes.paidPodcast.public;
  const early = { earlyUntil: later(clock.now, DAYS(1)) };
  await db.update(episodeRows).set(early).where(eq(episodeRows.id, open.id));

  expect((await get(url)).body.match(/<entitlement /g)).toHaveLength(2);

  await db.update(episodeRows).set({ earlyUntil: null }).where(eq(episodeRows.id, open.id));
  expect((await get(url)).body.match(/<entitlement /g)).toHaveLength(1);
});
