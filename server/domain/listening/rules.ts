import type { AudioLayout, Span } from '~/db/values/listening';
import { DOWNLOAD_LIMITS, LISTEN_LIMITS } from '../../limits/listening';

/** More than 60 seconds, spec §9. */
export function isListen(seconds: number): boolean {
  return seconds > LISTEN_LIMITS.countedAfterSeconds;
}

/**
 * Bytes of audio, without the head, that count as a download: one minute at the episode's own bitrate, or all of a
 * shorter episode (IAB Podcast Measurement 2.3).
 */
export function neededBytes({ bytes, headBytes, durationMs }: AudioLayout): number {
  const content = Math.max(1, bytes - headBytes);
  if (durationMs <= DOWNLOAD_LIMITS.countedAfterMs) return content;
  return Math.ceil((content * DOWNLOAD_LIMITS.countedAfterMs) / durationMs);
}

/** The audio part of the sent bytes, without the head; null if they contain no audio. */
export function contentSpan({ from, to }: Span, { bytes, headBytes }: AudioLayout): Span | null {
  const span = { from: Math.max(from, headBytes), to: Math.min(to, bytes) };
  return span.from < span.to ? span : null;
}

/** Merges spans that touch or overlap, and sorts them. */
export function mergeSpans(spans: Span[]): Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else result.push({ ...span });
  }
  return result;
}

export function totalBytes(spans: Span[]): number {
  return mergeSpans(spans).reduce((sum, { from, to }) => sum + to - from, 0);
}

/** Formats spans as a Postgres int8multirange. */
export function toMultirange(spans: Span[]): string {
  return `{${spans.map(({ from, to }) => `[${from},${to})`).join(',')}}`;
}

/** Clients request two bytes to test for range support; this never counts as a download (IAB 2.3). */
export function isProbe(requested: Span | null): boolean {
  return requested !== null && requested.to - requested.from <= 2;
}

/** User agents of bots and of services that fetch for other clients. */
const BOTS = new RegExp(
  [
    '\\b\\w*bots?\\b|bot[/;\\s_-]|_bot\\b|crawl|spider|scrap(?:er|y)|slurp|archiver|httrack|harvest',
    'feed ?(?:fetcher|parser|validator|consumer|burner|press)|podcast sync|importer|fetcher\\b|monitoring|linkpreview',
    'facebookexternalhit|meta-external|whatsapp|skypeuripreview|embedly|flipboard|mastodon|misskey|gotosocial',
    'mediapartners|google-(?:safety|read)|bingpreview|lighthouse|pagespeed|headless|phantomjs|selenium|puppeteer|playwright',
    'pingdom|uptime|statuscake|newrelic|datadog|nagios|zabbix|site24x7',
    '^(?:lib)?curl\\b|libcurl|^wget|^aria2|^lavf/|python|^ruby|libwww|lwp::|^java/|^perl|^php|^go-http|^deno|^bun/|^dart/',
    '^axios|^got[/ ]|node-fetch|^node$|^node[/.]|undici|^okhttp|httpclient|guzzle|^hackney|^http\\.?rb|http-tiny|colly|aiohttp|httpx',
    'listennotes|podchaser|rephonic|castfeedvalidator|chartable|podsights|magellanai|acast-tester|blubrry|libsyn4',
    // the Apple Watch requests episodes again that the phone has already downloaded
    '^atc/|\\(null\\)/\\(null\\) watchos',
  ].join('|'),
  'i',
);
/** A phone manufacturer, named in the user agent of every browser on its phones. */
const NOT_A_BOT = /\bcubot\b/i;

/** Bots never count as downloads. An empty user agent is treated as a bot. */
export function isBot(userAgent: string): boolean {
  if (userAgent.trim() === '') return true;
  return BOTS.test(userAgent) && !NOT_A_BOT.test(userAgent);
}

/**
 * The part of an address that identifies one listener: a full IPv4 address, or the /64 prefix of an IPv6 address (IAB
 * 2.3), written as four groups without leading zeros.
 */
export function networkPrefix(address: string): string {
  const plain = address
    .trim()
    .toLowerCase()
    .replace(/%.*$/, '')
    .replace(/^\[|\]$/g, '');
  const mapped = /^(?:0*:)*:?(?:ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(plain);
  if (mapped?.[1] || !plain.includes(':')) return mapped?.[1] ?? plain;
  const [head = '', tail] = plain.split('::', 2);
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array<string>(zeros).fill('0'), ...last];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
