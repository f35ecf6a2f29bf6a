import { expect, test } from 'vitest';
import { makeUrls } from '~/server/base/urls';
import { grantAccess } from '~/server/domain/access/grant-access';
import { findPrivateFeeds } from '~/server/domain/feeds/private-feed';
import { sourceOfAudio } from '~/server/domain/listening/sources';
import { publicFeed } from '~/server/domain/pages/public-feed';
import { transact } from '~/server/runtime/ctx';
import { cast } from '../../support/cast';

const { visitorCtx, lucia, tom, podcast, paidPodcast, episodes, env } = await cast();
const urls = makeUrls({ ...env.urls, appUrl: 'https://altavoz.example' });
const ctx = { ...visitorCtx(), urls };
const own = { domain: lucia.domain, slug: podcast.slug };
const show = { id: podcast.id, kind: 'podcast' } as const;
const measurementPrefixes = ['https://op3.dev/e/', 'https://dts.podtrac.com/redirect.mp3/'];
const MEASURED = 'https://op3.dev/e/dts.podtrac.com/redirect.mp3/altavoz.example/audio/';

async function itemsOf(feed: Awaited<ReturnType<typeof publicFeed>>) {
  if (!('pages' in feed)) throw new Error('moved');
  const items = [];
  for await (const page of feed.pages) items.push(...page);
  return items.map(({ guid, audio }) => ({ guid, url: audio.url }));
}

test('only the addresses of audio in the public feed get prefixes, and guids stay', async () => {
  const before = await itemsOf(await publicFeed(ctx, own));
  await lucia.api.products.update({ ...show, measurementPrefixes });

  const after = await itemsOf(await publicFeed(ctx, own));
  const marked = await itemsOf(await publicFeed(ctx, { ...own, isMarked: true }));

  expect(after.map(({ guid }) => guid)).toEqual(before.map(({ guid }) => guid));
  expect(after.length).toBeGreaterThan(0);
  for (const [i, { url }] of after.entries()) {
    expect(url).toBe(before[i]!.url.replace('https://altavoz.example/audio/', MEASURED));
    expect(marked[i]!.url).toBe(`${url}?from=old`);
  }
});

test('a private feed never names a measurement service, because its addresses are secrets', async () => {
  await lucia.api.products.update({ id: paidPodcast.id, kind: 'podcast', measurementPrefixes });
  const grant = { userId: tom.id, productId: paidPodcast.id, source: 'subscription' } as const;
  await transact(visitorCtx(), (tx) => grantAccess(tx, grant));
  const links = await tom.api.feeds.privateLinks({ productId: paidPodcast.id });
  const token = links[0]!.url.split('/').at(-1)!;

  const [feed] = await findPrivateFeeds(ctx, [token]);
  const { pages } = await feed!.read(feed!.personal());
  const audio = [];
  for await (const page of pages) audio.push(...page.map((episode) => episode.audio.url));

  expect(audio.length).toBeGreaterThan(0);
  for (const url of audio) expect(url).toMatch(/^https:\/\/altavoz\.example\/audio\/\d+\/[^/]+\.mp3\?feed=/);
});

test('a redirected request counts as one of the public feed', () => {
  const { id, slug } = episodes.podcast.public;
  const path = new URL(urls.audio(id, slug)).pathname;

  expect(sourceOfAudio(urls, path, {})).toBe('feed');
});

test('only the team sees the prefixes in the studio, and an unknown one is refused', async () => {
  const asOwner = await lucia.api.products.forEditing(show);

  expect(asOwner.measurementPrefixes).toEqual(measurementPrefixes);
  await expect(
    lucia.api.products.update({ ...show, measurementPrefixes: ['https://evil.example/'] }),
  ).rejects.toThrow();
});
