import { expect, test } from 'vitest';
import { classifyAgent } from '~/server/agents/classify';
import { machineReason } from '~/server/agents/machines';
import { isBadReferrer, referrerHost, referrerName } from '~/server/agents/referrers';

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36';
const OPERA = `${BROWSER} OPR/110.0`;
const OPERA_PHONE =
  'Mozilla/5.0 (Linux; Android 14; SM-A546B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36 OPR/80.0';
const APP = 'Overcast/3.0 (+http://overcast.fm/; iOS podcast app)';
const PAGE = 'https://radio.example/episodes/1';
const HOME = { isDataCenter: false };
const SERVERS = { isDataCenter: true };

test.each([
  ['an app', APP, undefined, HOME, null],
  ['an app, network unknown', APP, undefined, null, null],
  ['an app in a data centre', APP, undefined, SERVERS, 'data_center'],
  ['a browser', BROWSER, PAGE, HOME, null],
  ['a browser without a page', BROWSER, undefined, null, null],
  ['a browser in a data centre', BROWSER, PAGE, SERVERS, 'data_center'],
  ['Opera from a page', OPERA, PAGE, null, null],
  ['Opera without a page', OPERA, undefined, null, 'prefetch'],
  ['Opera with an empty header', OPERA, '', null, 'prefetch'],
  ['Opera on a phone', OPERA_PHONE, undefined, null, null],
  ['Opera without a page in a data centre', OPERA, undefined, SERVERS, 'prefetch'],
  ['a browser from a bad referrer', BROWSER, 'http://www.semalt.com/crawler.php?u=1', null, 'referrer'],
  ['an app from a bad referrer', APP, 'https://buttons-for-website.com/', null, 'referrer'],
  ['a bot', 'curl/8.5.0', undefined, null, 'bot'],
  ['a bot in a data centre', 'Googlebot/2.1', undefined, SERVERS, 'bot'],
  ['the Apple Watch', 'atc/1.0 watchOS/6.2 model/Watch3,3 hwp/t8004', undefined, HOME, 'bot'],
  ['the Apple Watch without a name', '(null)/(null) watchOS/5.0.1 model/Watch3,3', undefined, HOME, 'bot'],
  ['no user agent', '', undefined, HOME, 'malformed'],
  ['a control character', 'Over\u0007cast/3.0', undefined, HOME, 'malformed'],
])('%s', (_, userAgent, referrer, network, reason) => {
  expect(machineReason({ classification: classifyAgent(userAgent), referrer, network })).toBe(reason);
});

test.each([
  ['https://lm.facebook.com/l.php?u=x', 'browser', 'facebook.com', 'Facebook'],
  ['https://music.amazon.co.jp/podcasts/1', 'browser', 'music.amazon.com', 'Amazon Music'],
  ['https://podcasts.google.com/', 'browser', 'podcasts.google.com', 'Google Podcasts'],
  ['https://www.google.es/', 'browser', 'google.com', 'Google'],
  ['https://www.radio.example:8443/a?b#c', 'browser', 'radio.example', 'radio.example'],
  ['HTTPS://RADIO.EXAMPLE./', 'browser', 'radio.example', 'radio.example'],
  ['https://ñandú.example/', 'app', 'xn--and-6ma2c.example', 'xn--and-6ma2c.example'],
  ['https://notfacebook.com/', 'browser', 'notfacebook.com', 'notfacebook.com'],
] as const)('%s comes from %s', (referrer, kind, host, name) => {
  expect(referrerHost(referrer, kind)).toBe(host);
  expect(referrerName(host)).toBe(name);
});

test.each([
  ['no header', undefined, 'browser'],
  ['an empty header', '', 'browser'],
  ['no URL', 'radio.example', 'browser'],
  ['another scheme', 'javascript:alert(1)', 'browser'],
  ['a file', 'file:///etc/passwd', 'browser'],
  ['an IPv6 address', 'http://[::1]/', 'browser'],
  ['10 kB', `https://radio.example/${'a'.repeat(10_000)}`, 'browser'],
  ['a library', PAGE, 'library'],
  ['an unknown client', PAGE, 'unknown'],
] as const)('%s has no referrer', (_, referrer, kind) => {
  expect(referrerHost(referrer, kind)).toBeNull();
});

test('a host with accents is read as often as it comes', () => {
  const hosts = Array.from({ length: 20_000 }, () => referrerHost('https://ñandú.example/', 'browser'));

  expect(new Set(hosts)).toEqual(new Set(['xn--and-6ma2c.example']));
});

test('a bad referrer is bad with all of its subdomains, and no other host is', () => {
  expect(isBadReferrer('http://site3.free-share-buttons.com/')).toBe(true);
  expect(isBadReferrer('http://my-free-share-buttons.com.example/')).toBe(false);
  expect(isBadReferrer(undefined)).toBe(false);
});
