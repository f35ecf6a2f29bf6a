import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Delivery } from '~/server/domain/listening/downloads';
import { cast } from '../../support/cast';
import { deliverAt, delivery, downloadsOf, PHONE, part, sumsOf, twoMinuteEpisode } from '../../support/deliveries';

const { runtime, make, visitorCtx } = await cast();
const { db } = runtime;
await db.execute(sql`select make_listening_partitions('2026-02-01', 10)`);

const OPERA =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0 Safari/537.36 OPR/120.0.0.0';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const BLOG = 'https://blog.example/';

/** Who asks, other than the phone. */
const CLIENTS: Record<string, Partial<Delivery['client']>> = {
  moved: { address: '198.51.100.20' },
  mapped: { address: `::ffff:${PHONE.address}` },
  v6: { address: '2001:db8:1:2::1' },
  'v6-again': { address: '2001:db8:1:2:ffff::ffff' },
  'v6-other': { address: '2001:db8:1:3::1' },
  updated: { userAgent: 'AntennaPod/3.1.3' },
  iphone: { userAgent: 'AppleCoreMedia/1.0.0.22F76 (iPhone; U; CPU OS 18_5 like Mac OS X; es_es)' },
  watch: { userAgent: 'atc/1.0 watchOS/11.5 model/Watch7,4 hwp/t8310 build/22T572 (6; dt:261)' },
  'watch-2': { userAgent: 'Podcasts/1 (null)/(null) watchOS/11.5' },
  speaker: { userAgent: 'AlexaMediaPlayer/2.1.4676.0 (Linux;Android 5.1.1) ExoPlayerLib/1.5.9' },
  browser: { userAgent: FIREFOX, referrer: BLOG },
  opera: { userAgent: OPERA },
  'opera-page': { userAgent: OPERA, referrer: BLOG },
  checker: { userAgent: 'CastFeedValidator/3.5 (+http://castfeedvalidator.com)' },
  google: { userAgent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' },
  curl: { userAgent: 'curl/8.5.0' },
  python: { userAgent: 'python-requests/2.32' },
  silent: { userAgent: '' },
  unknown: { userAgent: 'Sonidos de mi barrio/1.2' },
  whisper: { userAgent: 'acme-whisper-transcriber/2' },
};

/**
 * [what happens, requests, downloads, requests of machines], worked out by hand. A request: its time (on 2 March 2026 if
 * it has no date), its bytes in thousands or what it is instead, and its client. The head has one thousand, a minute of
 * audio 960, and the file 1921. `200:`: the client asked for the whole file and left.
 */
const SCENARIOS: [name: string, requests: string, downloads: number, machines?: number][] = [
  ['a phone downloads the file at once', '10:00 all', 1],
  ['a phone downloads it twice in an hour', '10:00 all, 10:59 all', 1],
  ['a phone downloads it on three days', '10:00 all, 2026-03-03 10:01 all, 2026-03-04 10:02 all', 3],
  ['exactly the head and a minute', '10:00 0-961', 1],
  ['one byte less than a minute', '10:00 0-960.999', 0],
  ['only the head', '10:00 0-1', 0],
  ['an aborted 200 after half a minute', '10:00 200:0-480', 0],
  ['an aborted 200 after a minute', '10:00 200:0-961', 1],
  ['a minute from the middle', '10:00 900-1860', 1],
  ['the last minute', '10:00 961-1921', 1],
  ['two halves of a minute', '10:00 0-500, 10:05 500-961', 1],
  ['the same half of a minute twice', '10:00 0-500, 10:05 0-500', 0],
  ['overlapping parts that make a minute', '10:00 0-600, 10:01 300-961', 1],
  ['overlapping parts that make less', '10:00 0-600, 10:01 300-960', 0],
  ['seeking: four parts of a quarter', '10:00 1-241, 10:01 400-640, 10:02 800-1040, 10:03 1200-1440', 1],
  ['seeking: three parts of a quarter', '10:00 1-241, 10:01 400-640, 10:02 800-1040', 0],
  ['seeking back and forth within half a minute', '10:00 0-400, 10:01 100-480, 10:02 0-480', 0],
  ['play, pause for hours, play', '08:00 0-600, 20:00 600-1921', 1],
  ['a pause over midnight', '23:30 0-600, 2026-03-03 07:00 600-1921', 1],
  ['a pause of more than a day, with less than a minute each', '10:00 0-600, 2026-03-03 10:01 600-1200', 0],
  ['a pause of more than a day, then a minute', '10:00 0-600, 2026-03-03 10:01 600-1921', 1],
  ['ranges across midnight, counted before it', '23:58 all, 2026-03-03 00:02 all', 1],
  ['ranges across midnight, counted after it', '23:59 0-900, 2026-03-03 00:01 900-1000', 1],
  ['a second before a day has passed', '10:00:00 all, 2026-03-03 09:59:59 all', 1],
  ['a day later to the second', '10:00:00 all, 2026-03-03 10:00:00 all', 2],
  ['three evenings, the second one earlier', '21:00 all, 2026-03-03 20:00 all, 2026-03-04 21:00 all', 2],
  ['the last second of a month and the first of the next', '2026-03-31 23:59:59 all, 2026-04-01 00:00:01 all', 1],
  ['a VPN is switched on midway', '10:00 0-600, 10:10 600-1200 moved', 0],
  ['a VPN is switched on after a minute', '10:00 0-961, 10:10 1000-1921 moved', 1],
  ['a VPN is switched on, and the rest is a minute', '10:00 0-961, 10:10 961-1921 moved', 2],
  ['from Wi-Fi to mobile data midway', '10:00 0-300, 10:03 300-1921 moved', 1],
  ['two people with equal phones behind one address', '10:00 all, 10:20 all', 1],
  ['two people with different apps behind one address', '10:00 all, 10:20 all iphone', 2],
  ['two people with equal phones at two addresses', '10:00 all, 10:20 all moved', 2],
  ['an app is updated during the day', '10:00 all, 18:00 all updated', 2],
  ['privacy addresses of one IPv6 network', '10:00 all v6, 11:00 all v6-again', 1],
  ['two IPv6 networks', '10:00 all v6, 11:00 all v6-other', 2],
  ['an IPv4 address in IPv6 notation', '10:00 all, 11:00 all mapped', 1],
  ['a phone and its watch', '10:00 all iphone, 10:05 all watch', 1, 1],
  ['a watch alone', '10:00 all watch', 0, 1],
  ['the other agent of watches', '10:00 all watch-2', 0, 1],
  ['a smart speaker', '10:00 all speaker', 1],
  ['a browser that plays', '10:00 all browser', 1],
  ['a browser that loads the beginning', '10:00 0-200 browser', 0],
  ['Opera on a computer loads feeds ahead', '10:00 all opera', 0, 1],
  ['Opera on a computer comes from a page', '10:00 all opera-page', 1],
  ['a feed checker', '10:00 all checker', 0, 1],
  ['a search engine and a listener', '10:00 all google, 10:01 all', 1, 1],
  ['programs', '10:00 all curl, 10:01 all python', 0, 2],
  ['a program with less than a minute', '10:00 0-200 curl', 0, 1],
  ['no user agent', '10:00 all silent', 0, 1],
  ['an unknown app', '10:00 all unknown', 1],
  ['an unknown transcriber', '10:00 all whisper', 0, 1],
  ['HEAD', '10:00 HEAD', 0],
  ['HEAD of a machine', '10:00 HEAD curl', 0],
  ['an unchanged copy', '10:00 304', 0],
  ['a range that does not exist', '10:00 416', 0],
  ['a probe alone', '10:00 0-0.002', 0],
  ['a probe, then the file', '10:00 0-0.002, 10:00 all', 1],
  ['a probe of a machine', '10:00 0-0.002 curl', 0],
  ['HEAD, a probe, the head, then parts', '10:00 HEAD, 10:00 0-0.002, 10:00 0-65, 10:01 65-700, 10:02 700-1300', 1],
  ['a late event of the same evening', '23:50 600-1200, 23:40 0-600', 1],
  ['a clock that jumps back an hour', '10:30 0-500, 09:31 500-1000', 1],
  ['a clock that jumps ahead a month and comes back', '2026-04-02 10:00 all, 10:00 all', 2],
  ['a future event, and its day when it comes', '2026-05-01 10:00 all, 2026-05-01 09:00 all', 1],
  ['the day of 23 hours in Madrid', '2026-03-28 23:30 all, 2026-03-29 22:30 all, 2026-03-29 23:31 all', 2],
  ['the day of 25 hours in Madrid', '2026-10-24 22:30 all, 2026-10-25 22:29 all, 2026-10-25 22:31 all', 2],
  ['a second that clocks repeat', '2026-06-30 23:59:59 all, 2026-06-30 23:59:59 all, 2026-07-01 00:00:00 all', 1],
];

const REQUEST = /^(\d{4}-\S+ )?([\d:]+) (?:(all|HEAD|304|416)|(200:)?([\d.]+)-([\d.]+))(?: (\S+))?$/;

/** @returns its time and the delivery */
function requestOf(episode: Delivery['episode'], text: string): [time: string, given: Delivery] {
  const [, date = '2026-03-02 ', time, what, isWhole, from, to, name] = REQUEST.exec(text)!;
  const client = { ...PHONE, ...(name ? CLIENTS[name]! : {}) };
  const special = what === 'HEAD' ? { method: 'HEAD' } : what === undefined || what === 'all' ? {} : { status: +what };
  const [first, last] = [Math.round(Number(from) * 1000), Math.round(Number(to) * 1000)];
  if (what !== undefined) return [date + time, delivery(episode, { client, ...special })];
  const over = isWhole ? { client, status: 200, requested: null } : { client };
  return [date + time, part(episode, first, last, over)];
}

test('there are at least sixty scenarios, each with its own name and known clients', () => {
  expect(new Set(SCENARIOS.map(([name]) => name)).size).toBe(SCENARIOS.length);
  expect(SCENARIOS.length).toBeGreaterThanOrEqual(60);
  const used = SCENARIOS.flatMap(([, requests]) => requests.split(', ').map((text) => REQUEST.exec(text)![7]));
  expect(new Set(used.filter(Boolean))).toEqual(new Set(Object.keys(CLIENTS)));
});

test.each(SCENARIOS)('%s', async (_, requests, downloads, machines = 0) => {
  const episode = await twoMinuteEpisode(make);

  for (const text of requests.split(', ')) {
    const [time, given] = requestOf(episode, text);
    await deliverAt(visitorCtx, time, given);
  }

  expect(await downloadsOf(db, episode.id)).toEqual({ total: downloads, days: downloads, rows: downloads });
  const sums = await sumsOf(db, episode.productId);
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
  expect(sum(sums.machines.map((row) => row.requests))).toBe(machines);
  expect(sum(sums.months.map((row) => row.downloads))).toBe(downloads);
  for (const row of sums.days)
    for (const counts of [row.slots.d!, row.dimensions.country!, row.dimensions.app!, row.dimensions.source!])
      expect(sum(Object.values(counts))).toBe(row.downloads);
});
