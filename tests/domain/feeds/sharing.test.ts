import { expect, test } from 'vitest';
import { appOf, networkOf } from '~/server/domain/feeds/podcast-apps';
import { looksShared } from '~/server/domain/feeds/rules';
import { deepSeed, isDeep } from '../../support/deep';
import { householdsDisturbed, seededRandom, sharedFound } from '../../support/simulated-sharing';

test.each([
  ['one phone at home', [1, 1, 1], false],
  ['many apps in one home', [1, 9, 1], false],
  ['a phone that changes its network, and a car', [5, 2, 9], false],
  ['a family of five, on the way', [7, 3, 11], false],
  ['seven networks and a mix of apps in a day', [7, 4, 7], true],
  ['eight networks in a day', [8, 1, 8], true],
  ['twelve networks in a week', [2, 1, 12], true],
  ['a link on a forum', [200, 9, 900], true],
] as const)('%s', (_, [networks, apps, networksOfWeek], expected) => {
  expect(looksShared({ networks, apps, networksOfWeek })).toBe(expected);
});

const at = (userAgent: string, address = '203.0.113.9') => appOf({ userAgent, address });

test.each([
  ['AppleCoreMedia/1.0.0.21F79 (iPhone; U; CPU OS 17_5 like Mac OS X; es_es)', 'apple_podcasts'],
  ['Podcasts/1575.1.2 CFNetwork/1496.0.7 Darwin/23.5.0', 'apple_podcasts'],
  ['Overcast/3.0 (+http://overcast.fm/; iOS podcast app)', 'overcast'],
  ['Pocket Casts/7.60 (Linux;Android 14) ExoPlayerLib/2.18', 'pocket_casts'],
  ['AntennaPod/3.4.0', 'antennapod'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36', 'chrome'],
  ['An unknown app/1', 'other'],
  ['', 'other'],
])('the app of “%s”', (userAgent, app) => {
  expect(at(userAgent)).toBe(app);
});

test.each([
  ['Spotify/1.0', '203.0.113.9'],
  ['AmazonMusic/23', '203.0.113.9'],
  ['SnipdBot/1.0', '203.0.113.9'],
  ['AppleCoreMedia/1.0', '17.58.99.1'],
  ['AppleCoreMedia/1.0', '::ffff:17.58.99.1'],
])('a server that fetches for its users says nothing: %s from %s', (userAgent, address) => {
  expect(at(userAgent, address)).toBeNull();
});

test('a network is a /24 of IPv4, or a /64 of IPv6', () => {
  expect(['203.0.113.9', '203.0.113.77', '2001:db8:1:2'].map(networkOf)).toEqual([
    '203.0.113',
    '203.0.113',
    '2001:db8:1:2',
  ]);
});

test('households are left alone, and links shared with ten people are found within a day', () => {
  const random = seededRandom(deepSeed());
  const [households, links] = isDeep ? [200_000, 20_000] : [8000, 1000];

  const disturbed = householdsDisturbed(random, { households, episodes: 8 });
  const found = [10, 20, 50].map((receivers) => [receivers, sharedFound(random, { links, receivers })] as const);

  if (isDeep) {
    const bySize = [1, 2, 3, 4, 5].map((size) => householdsDisturbed(random, { households: links, episodes: 8, size }));
    const percent = (share: number) => `${(share * 100).toFixed(3)} %`;
    console.log(
      `households disturbed in 8 episodes: ${percent(disturbed)}; of 1–5 people: ${bySize.map(percent).join()}`,
    );
    for (const [receivers, share] of found) console.log(`shared with ${receivers}: ${percent(share)} within 24 h`);
  }
  expect(disturbed).toBeLessThanOrEqual(0.001);
  for (const [receivers, share] of found) expect([receivers, share >= 0.95]).toEqual([receivers, true]);
});
