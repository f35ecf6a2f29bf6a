import { expect, test } from 'vitest';
import { withQrCodes } from '~/app/features/site/public/app-feeds.server';
import { FEED_APP_NAMES } from '~/server/domain/feeds/kinds';

const links = FEED_APP_NAMES.map((app) => ({ app, url: `https://altavoz.example/feed/${app}` }));

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', ['apple_podcasts', 'overcast', 'castro']],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9)', ['antennapod', 'podcast_addict', 'pocket_casts']],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', ['apple_podcasts', 'overcast', 'pocket_casts']],
])('the apps of the visitor’s phone come first: %s', async (userAgent, first) => {
  const request = new Request('https://altavoz.example/thanks', { headers: { 'user-agent': userAgent } });

  const feeds = await withQrCodes(links, request);

  expect(feeds.slice(0, 3).map(({ app }) => app)).toEqual(first);
  expect(feeds).toHaveLength(links.length);
});
