import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { audioPath, markOldFeed, withFeedAccess } from '~/server/base/public-paths';
import { episodeAudioDoor } from '~/server/doors/audio/episode-audio';
import { createEnclosureCache } from '~/server/http/caches/enclosure-cache';
import { cast } from '../support/cast';
import { sumsOf } from '../support/deliveries';

const BODY = randomBytes(400_000);
const APP = { 'user-agent': 'AntennaPod/3.1.2' };
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

const { runtime, clock, make } = await cast();
// the migrations create partitions around the real date
clock.now = new Date();
const door = episodeAudioDoor(runtime, { trustedProxies: 1, enclosures: createEnclosureCache(runtime) });
const server = http.createServer((req, res) => void door(req, res));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function publishedAudio() {
  const product = await make.product(await make.creator());
  const sha256 = createHash('sha256').update(BODY).digest('hex');
  const [episode] = await make.episodes(product, 1, () => ({ audioSha256: sha256, audioBytes: BODY.length }));
  await runtime.ports.storage.put(episode!.audioKey!, BODY, { contentType: 'audio/mpeg' });
  return episode!;
}

/** What is stored of the download; in our own players it is counted apart from plays. */
async function factsAfter(pathOf: (path: string) => string, headers: Record<string, string>) {
  const { id, productId, slug } = await publishedAudio();
  const res = await fetch(`http://127.0.0.1:${port}${pathOf(audioPath(id, slug))}`, { headers });
  await res.arrayBuffer();
  await expect.poll(async () => (await sumsOf(runtime.db, productId)).days).toHaveLength(1);
  const { days } = await sumsOf(runtime.db, productId);
  expect(days[0]).toMatchObject({ listeners: 1 });
  const [facts] = await runtime.db.execute<{ source: string; country: string }>(sql`
    select source, country from downloads where episode_id = ${id}`);
  const isApart = ['player', 'embed'].includes(facts!.source);
  expect(days[0]).toMatchObject({ downloads: isApart ? 0 : 1, playerDownloads: isApart ? 1 : 0 });
  return facts!;
}

const same = (path: string) => path;
const embed = runtime.urls.embed('episode', 1);
const page = runtime.urls.creator('lucia', '/p/ruido/uno');

test.each<[string, (path: string) => string, Record<string, string>, string]>([
  ['an app with the public feed', same, APP, 'feed'],
  ['an app with a private feed', (path) => withFeedAccess(path, 'a-token'), APP, 'private_feed'],
  ['an app that the former host redirects', markOldFeed, APP, 'former_host'],
  ['the player on a page of the site', same, { ...BROWSER, referer: runtime.urls.app('/en/discover') }, 'player'],
  ['the player on a creator’s host', same, { ...BROWSER, referer: new URL('/', page).href }, 'player'],
  ['the player of a browser that sends no page', same, { ...BROWSER, 'sec-fetch-site': 'same-site' }, 'player'],
  ['an embedded player', same, { ...BROWSER, referer: embed, 'sec-fetch-site': 'same-origin' }, 'embed'],
  ['an embedded player in Spanish', same, { ...BROWSER, referer: embed.replace('/embed', '/es/embed') }, 'embed'],
  ['a page of another site', same, { ...BROWSER, referer: 'https://blog.example/' }, 'other'],
  ['another site’s copy of our address', same, { ...BROWSER, referer: 'https://x.example/embed/1' }, 'other'],
  ['an address that a browser opens', same, { ...BROWSER, 'sec-fetch-site': 'none' }, 'other'],
  ['a header that is no address', same, { ...APP, referer: '/embed/1' }, 'other'],
])('the source of a download: %s', async (_, pathOf, headers, source) => {
  expect(await factsAfter(pathOf, headers)).toMatchObject({ source });
});

test('the country is that of the listener’s address behind our proxy, which is not stored', async () => {
  const { country } = await factsAfter(same, { ...APP, 'x-forwarded-for': '80.58.61.250' });

  expect(country).toBe('ES');
  const rows = await runtime.db.execute(sql`select d::text as written from downloads d order by 1`);
  expect(JSON.stringify(rows)).not.toContain('80.58.61');
});
