import { expect, test } from 'vitest';
import { classifyAgent } from '~/server/agents/classify';

const isBot = (agent: string) => classifyAgent(agent).kind === 'bot';

test.each([
  'AppleCoreMedia/1.0.0.20G75 (iPhone; U; CPU OS 16_6 like Mac OS X; es_es)',
  'Podcasts/1575.1.2 CFNetwork/1240.0.4 Darwin/20.6.0',
  'Spotify/8.8.60 Android/33 (Pixel 7)',
  'Spotify/9.0',
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
  'BBCiPlayer/4.75.0.1 (iPad2,5; iPhone OS 9.3.5) BBCSMP/36.2.0 BBCHTTPClient/8.0.2',
  'Denon;DENON-DWHS_60-150;8f2c0cd9c29f44b39c868f9c7055662c;;tpapi;3.202.330',
  'WhatsApp/2.24.10 A',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Flipboard/4.3.52',
  'StorytelDownloader/1.0',
  'Downloads/1.0 CFNetwork/711.3.18 Darwin/14.0.0',
  'gPodder/3.11.0 (http://gpodder.org/)',
  'sonos/70.3 (ZPS1)',
])('%s is a listener', (agent) => {
  expect(isBot(agent)).toBe(false);
});

test.each([
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'facebookexternalhit/1.1',
  'iTMS',
  'curl/8.5.0',
  'Podcast-Transcriber/2.0',
  'Mozilla/5.0 (compatible; WhisperProxy/1.0)',
  'my-dataset-builder/0.1',
  'RadioScraper/1.0',
  'episode-archiver/3',
  'ShareSheetUI/1 CFNetwork/1474 Darwin/23.0.0',
  'Mozilla/5.0',
  'Spotify/1.0',
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
  expect(isBot(agent)).toBe(true);
});

test.each([
  'Overcast/1.0 Podcast Sync (+http://overcast.fm/)',
  'Pocket Casts Crawler/1.0',
  'Castbox/1.0 (compatible; CastboxBot)',
  'Goodpods/2.2',
  'Jamit/1.0',
  'Headliner/1.0.0 +https://headliner.app',
])('%s is the bot of an app', (agent) => {
  expect(isBot(agent)).toBe(true);
});

test('no more than the beginning of a user agent is read', () => {
  expect(isBot(`${'AntennaPod/3.1 '.repeat(100)}Googlebot/2.1`)).toBe(false);
});

test.each([
  ['an empty one', ''],
  ['spaces', '   '],
  ['dashes', '-'],
  ['quotes', '""'],
  ['a control character', 'AntennaPod/3.1\u0000'],
  ['an encoded control character', 'AntennaPod%00/3.1'],
  ['a line break', 'AntennaPod/3.1\r\nX-Forwarded-For: 127.0.0.1'],
  ['10 kB', 'AntennaPod/3.1 '.repeat(700)],
])('%s is malformed', (_, agent) => {
  expect(classifyAgent(agent)).toEqual({
    kind: 'bot',
    app: 'unknown',
    device: 'unknown',
    os: 'unknown',
    reason: 'malformed',
  });
});
