import { expect, test } from 'vitest';
import * as rules from '~/server/domain/listening/rules';

test.each([
  ['60 seconds', 60, false],
  ['slightly more', 60.1, true],
])('a listen needs more than 60 seconds (spec §9): %s', (_, seconds, expected) => {
  expect(rules.isListen(seconds)).toBe(expected);
});

test.each([
  ['two minutes: half of the audio', { bytes: 2_001_000, headBytes: 1000, durationMs: 120_000 }, 1_000_000],
  ['an hour', { bytes: 57_600_000, headBytes: 0, durationMs: 3_600_000 }, 960_000],
  ['exactly one minute: all of it', { bytes: 960_500, headBytes: 500, durationMs: 60_000 }, 960_000],
  ['ten seconds: all of it', { bytes: 160_500, headBytes: 500, durationMs: 10_000 }, 160_000],
])('bytes for a download: %s', (_, audio, expected) => {
  expect(rules.neededBytes(audio)).toBe(expected);
});

test.each([
  [
    { from: 0, to: 5000 },
    { from: 1000, to: 5000 },
  ],
  [{ from: 0, to: 1000 }, null],
  [
    { from: 500, to: 999_999 },
    { from: 1000, to: 10_000 },
  ],
  [{ from: 3000, to: 3000 }, null],
])('the audio part of %o is %o', (span, expected) => {
  expect(rules.contentSpan(span, { bytes: 10_000, headBytes: 1000, durationMs: 1 })).toEqual(expected);
});

test('spans that touch or overlap are merged', () => {
  const spans = [
    { from: 50, to: 60 },
    { from: 0, to: 10 },
    { from: 10, to: 20 },
    { from: 15, to: 30 },
    { from: 52, to: 55 },
  ];

  expect(rules.toMultirange(rules.mergeSpans(spans))).toBe('{[0,30),[50,60)}');
  expect(rules.totalBytes(spans)).toBe(40);
  expect(rules.toMultirange([])).toBe('{}');
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002:ffff::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:1::', '2001:db8:1:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['[2001:db8:1:2::9]', '2001:db8:1:2'],
  ['', ''],
])('the network prefix of %s is %s', (address, expected) => {
  expect(rules.networkPrefix(address)).toBe(expected);
});

test.each([
  'AppleCoreMedia/1.0.0.20G75 (iPhone; U; CPU OS 16_6 like Mac OS X; es_es)',
  'Podcasts/1575.1.2 CFNetwork/1240.0.4 Darwin/20.6.0',
  'Spotify/8.8.60 Android/33 (Pixel 7)',
  'Overcast/3.0 (+http://overcast.fm/; iOS podcast app)',
  'AntennaPod/3.1.2',
  'PodcastAddict/v5 (+https://podcastaddict.com/; Android podcast app)',
  'Pocket Casts/7.20 (Android)',
  'Castbox/9.7.0-220622141 (Linux;Android 12)',
  'iVoox/7.0 (iPhone)',
  'VLC/3.0.18 LibVLC/3.0.18',
  'stagefright/1.2 (Linux;Android 9)',
  'Dalvik/2.1.0 (Linux; U; Android 13; SM-A536B)',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36',
  'Mozilla/5.0 (Linux; Android 9; CUBOT P20) AppleWebKit/537.36 Chrome/96.0 Mobile Safari/537.36',
  'gPodder/3.11.0 (http://gpodder.org/)',
  'sonos/70.3 (ZPS1)',
])('%s is a listener', (agent) => {
  expect(rules.isBot(agent)).toBe(false);
});

test.each([
  '',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'facebookexternalhit/1.1',
  'curl/8.5.0',
  'Wget/1.21',
  'python-requests/2.31.0',
  'Go-http-client/2.0',
  'okhttp/4.12.0',
  'Apache-HttpClient/4.5.13 (Java/11)',
  'node-fetch/1.0',
  'undici',
  'Lavf/60.3.100',
  'Overcast/1.0 Podcast Sync (4 subscribers; +http://overcast.fm/)',
  'atc/1.0 watchOS/7.1 model/Watch5,3 hwp/t8006 build/18R590 (6; dt:202)',
  '(null)/(null) watchOS/5.0.1 model/Watch3,3',
  'bl.uk_ldfc_bot/3.4.0',
  'Mozilla/5.0 (compatible; Bytespider; spider-feedback@bytedance.com)',
  'ListenNotes/3.0 (+https://www.listennotes.com/about/)',
  'Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/126.0',
])('%s is a bot', (agent) => {
  expect(rules.isBot(agent)).toBe(true);
});

test('a request for two bytes is a probe, for three it is not', () => {
  expect(rules.isProbe({ from: 0, to: 2 })).toBe(true);
  expect(rules.isProbe({ from: 0, to: 3 })).toBe(false);
  expect(rules.isProbe(null)).toBe(false);
});
