import { expect, test } from 'vitest';
import { appName, classifyAgent, osName } from '~/server/agents/classify';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36';
const MOBILE = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

test.each([
  ['Podcasts/1575.1.2 CFNetwork/1240.0.4 Darwin/20.6.0', 'app', 'apple_podcasts', 'phone', 'ios'],
  ['Podcasts/1410.53 CFNetwork/1111 Darwin/19.0.0 (x86_64)', 'app', 'apple_podcasts', 'computer', 'macos'],
  [
    'AppleCoreMedia/1.0.0.20G75 (iPhone; U; CPU OS 16_6 like Mac OS X; es_es)',
    'library',
    'applecoremedia',
    'phone',
    'ios',
  ],
  [
    'AppleCoreMedia/1.0.0.16G78 (HomePod; U; CPU OS 12_4 like Mac OS X; en_us)',
    'library',
    'applecoremedia',
    'speaker',
    'ios',
  ],
  [
    'AppleCoreMedia/1.0.0.20K71 (Apple TV; U; CPU OS 16_1 like Mac OS X; en_au)',
    'library',
    'applecoremedia',
    'tv',
    'tvos',
  ],
  [
    'AppleCoreMedia/1.0.0.17A860 (iPad; U; CPU OS 13_1_2 like Mac OS X; en_us)',
    'library',
    'applecoremedia',
    'tablet',
    'ios',
  ],
  ['Overcast/3.0 (+http://overcast.fm/; iOS podcast app)', 'app', 'overcast', 'phone', 'ios'],
  ['Overcast (+http://overcast.fm/; Apple Watch podcast app)', 'app', 'overcast', 'watch', 'watchos'],
  ['Spotify/8.8.60 Android/33 (Pixel 7)', 'app', 'spotify', 'phone', 'android'],
  ['Spotify/8.7.76.359 SM-R870/30 (SM-R870)', 'app', 'spotify', 'watch', 'unknown'],
  ['Spotify/4.4.1.0 Rivian/30 (Rivian)', 'app', 'spotify', 'car', 'android'],
  ['AntennaPod/3.1.2', 'app', 'antennapod', 'phone', 'android'],
  ['PodcastAddict/v5 (+https://podcastaddict.com/; Android podcast app)', 'app', 'podcast_addict', 'phone', 'android'],
  ['iVoox/7.0 (iPhone)', 'app', 'ivoox', 'phone', 'ios'],
  ['sonos/70.3 (ZPS1)', 'app', 'sonos', 'speaker', 'linux'],
  ['Linux UPnP/1.0 Sonos/70.3-35220 (ZPS9)', 'app', 'sonos', 'speaker', 'linux'],
  [
    'microsoft;xbox_one;1fc2d01aa9074dde950e8d3dc0eb1729;;tpapi;3.167.55',
    'app',
    'microsoft_xbox',
    'console',
    'windows',
  ],
  ['FanCast/2.0 (Linux;Android 11) ExoPlayerLib/2.14.0', 'library', 'exoplayer', 'phone', 'android'],
  ['okhttp/4.12.0', 'bot', 'okhttp', 'unknown', 'unknown'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME}`, 'browser', 'chrome', 'computer', 'windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/126.0`, 'browser', 'edge', 'computer', 'windows'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME}`, 'browser', 'chrome', 'computer', 'chromeos'],
  [`Mozilla/5.0 (Linux; Android 14; SM-X710) ${CHROME}`, 'browser', 'chrome', 'tablet', 'android'],
  [`Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${MOBILE}`, 'browser', 'safari', 'phone', 'ios'],
  [`Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) ${MOBILE}`, 'browser', 'safari', 'tablet', 'ios'],
  ['My Own Radio/1.0', 'unknown', 'unknown', 'unknown', 'unknown'],
  ['MyShow/7 CFNetwork/1494.0.7 Darwin/23.4.0', 'unknown', 'unknown', 'phone', 'ios'],
])('%s', (agent, kind, app, device, os) => {
  expect(classifyAgent(agent)).toEqual({ kind, app, device, os, ...(kind === 'bot' && { reason: 'bot' }) });
});

test('names in other scripts are read as percent signs, as UTF-8, and as the bytes that HTTP hands over', () => {
  const name = 'Подкасты';
  const rest = '/1520.39 CFNetwork/1206 Darwin/20.1.0';

  for (const written of [name, encodeURIComponent(name), Buffer.from(name).toString('latin1')])
    expect(classifyAgent(written + rest).app).toBe('apple_podcasts');
});

test('every ID has a name; an ID that no table knows is its own name', () => {
  expect([appName('apple_podcasts'), appName('former_app')]).toEqual(['Apple Podcasts', 'former_app']);
  expect([osName('macos'), osName('other'), osName('former_os')]).toEqual(['macOS', 'Other', 'former_os']);
});
