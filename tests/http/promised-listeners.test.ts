import { createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { feedLinks } from '~/db/schema/feeds';
import { products } from '~/db/schema/products';
import { SESSION_COOKIE } from '~/server/auth/sessions';
import { withFeedAccess } from '~/server/base/public-paths';
import { feedAccess } from '~/server/domain/feeds/feed-access';
import { refreshServed } from '~/server/domain/insertions/served-lengths';
import { episodeAudioDoor } from '~/server/doors/audio/episode-audio';
import { createSoundFileCache, soundFilesDoor } from '~/server/doors/audio/sound-files';
import { createEnclosureCache } from '~/server/http/caches/enclosure-cache';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import { insertionMakers } from '../support/insertions';

const { runtime, make, clock } = await cast({ empty: true });
const { db } = runtime;
const { soundEpisode, clip, campaign } = insertionMakers(runtime, make);
const [enclosures, soundFiles] = [createEnclosureCache(runtime), createSoundFileCache(runtime)];
const doors = [episodeAudioDoor(runtime, { trustedProxies: 1, enclosures }), soundFilesDoor(runtime, soundFiles, 1)];
const server = http.createServer(async (req, res) => {
  for (const door of doors) if (await door(req, res)) return;
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ctx = systemCtx(runtime, 'insertions.refresh-served');
const owner = await make.creator();
const subscriber = await make.person();
const visitor = await make.person();
const cookieOf = ({ token }: { token: string }) => ({ cookie: `${SESSION_COOKIE}=${token}` });

const get = (path: string, address: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
    headers: { 'user-agent': 'Mozilla/5.0 Firefox/130.0', 'x-forwarded-for': address, ...headers },
  });
async function heard(path: string, address: string, headers: Record<string, string> = {}) {
  const answer = await get(path, address, headers);
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
}

/** A paid show whose campaign plays everywhere, with the promise or without. */
async function stage(insertionFreeSince: Date | null) {
  const show = await make.product(owner, { priceMinor: 500, insertionFreeSince });
  const episode = await soundEpisode(show, {});
  await campaign(show, [await clip(owner)], { inPrivateFeeds: true, inWebPlayer: true });
  await db
    .insert(grants)
    .values({ userId: subscriber.id, productId: show.id, source: 'subscription', startsAt: runtime.now() });
  const token = { tokenHash: createHash('sha256').update(`${show.id}`).digest(), sealedToken: '' };
  const [link] = await db
    .insert(feedLinks)
    .values({ userId: subscriber.id, productId: show.id, app: 'overcast', ...token })
    .returning();
  await refreshServed(ctx, { productId: show.id });
  const path = `/audio/${episode.id}/a.mp3`;
  const access = feedAccess(runtime, { linkId: link!.id, episodeId: episode.id });
  return { show, episode, path, feedPath: withFeedAccess(path, access) };
}

const SINCE = new Date(clock.now.getTime() - 60_000);

test('with the promise, subscribers hear the episode itself at every door, whatever its campaigns say', async () => {
  const { episode, path, feedPath } = await stage(SINCE);

  const inFeed = await heard(feedPath, '198.51.100.1');
  const onWeb = await heard(path, '198.51.100.2', { ...cookieOf(subscriber), 'sec-fetch-site': 'same-origin' });
  const others = await heard(path, '198.51.100.3', cookieOf(visitor));

  expect(inFeed.bytes.equals(episode.body)).toBe(true);
  expect(onWeb.bytes.equals(episode.body)).toBe(true);
  expect(others.bytes.length).toBeGreaterThan(episode.body.length);
});

test('without the promise, the same campaign plays for subscribers, too', async () => {
  const { episode, path, feedPath } = await stage(null);

  const [inFeed, onWeb] = [
    await heard(feedPath, '198.51.100.4'),
    await heard(path, '198.51.100.5', cookieOf(subscriber)),
  ];

  expect(inFeed.bytes.length).toBeGreaterThan(episode.body.length);
  expect(onWeb.bytes.length).toBeGreaterThan(episode.body.length);
});

test('what somebody else in the same network has begun is not for a subscriber', async () => {
  const { episode, path } = await stage(SINCE);
  const address = '198.51.100.6';
  const theirs = await heard(path, address);

  const own = await heard(path, address, cookieOf(subscriber));
  const again = await heard(path, address);

  expect(theirs.bytes.length).toBeGreaterThan(episode.body.length);
  expect(own.bytes.equals(episode.body)).toBe(true);
  expect(again.bytes.equals(theirs.bytes)).toBe(true);
});

test('a subscriber who began before the promise keeps the same bytes, and its times', async () => {
  const { show, episode, path, feedPath } = await stage(null);
  const address = '198.51.100.7';
  const before = await heard(feedPath, address);
  await db
    .update(products)
    .set({ insertionFreeSince: new Date(runtime.now().getTime() + 1) })
    .where(eq(products.id, show.id));
  await refreshServed(ctx, { productId: show.id });
  for (const cache of [enclosures, soundFiles]) cache.clear();

  const after = await heard(feedPath, address);
  const later = await heard(feedPath, '198.51.100.8');

  expect(before.bytes.length).toBeGreaterThan(episode.body.length);
  expect(after.bytes.equals(before.bytes)).toBe(true);
  expect(later.bytes.equals(episode.body)).toBe(true);
  const timeline = async (from: string, headers: Record<string, string>) =>
    (await get(path.replace('a.mp3', 'timeline.json'), from, headers)).json();
  expect(await timeline(address, cookieOf(subscriber))).not.toEqual([]);
  expect(await timeline('198.51.100.9', cookieOf(subscriber))).toEqual([]);
  expect(await timeline('198.51.100.9', {})).not.toEqual([]);
});
