import { DOWNLOAD_LIMITS, LISTEN_LIMITS } from '../../limits/listening';

/** Bytes of a file, `from` included and `to` not. */
export type Span = { from: number; to: number };

/** What the minute rule needs to know about an episode's file. */
export type AudioLayout = { bytes: number; headBytes: number; durationMs: number };

/** More than 60 seconds, spec §9. */
export function isListen(seconds: number): boolean {
  return seconds > LISTEN_LIMITS.countedAfterSeconds;
}

/**
 * Bytes of content, the head aside, that make a download: one minute by this episode's own bitrate, all of it where
 * it is shorter (IAB Podcast Measurement 2.3).
 */
export function neededBytes({ bytes, headBytes, durationMs }: AudioLayout): number {
  const content = Math.max(1, bytes - headBytes);
  if (durationMs <= DOWNLOAD_LIMITS.countedAfterMs) return content;
  return Math.ceil((content * DOWNLOAD_LIMITS.countedAfterMs) / durationMs);
}

/** The part of what was handed over that is content: the head (tags, cover) is none. Null where nothing is left. */
export function contentSpan({ from, to }: Span, { bytes, headBytes }: AudioLayout): Span | null {
  const span = { from: Math.max(from, headBytes), to: Math.min(to, bytes) };
  return span.from < span.to ? span : null;
}

/** Puts spans together that touch or overlap, in order. */
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

/** As Postgres reads an int8multirange. */
export function toMultirange(spans: Span[]): string {
  return `{${spans.map(({ from, to }) => `[${from},${to})`).join(',')}}`;
}

/** Two bytes asked for to see whether ranges are answered: never a download (IAB 2.3). */
export function isProbe(asked: Span | null): boolean {
  return asked !== null && asked.to - asked.from <= 2;
}

/** Anyone who calls themselves a robot or whose work is fetching for others. */
const ROBOTS = new RegExp(
  [
    '\\b\\w*bots?\\b|bot[/;\\s_-]|_bot\\b|crawl|spider|scrap(?:er|y)|slurp|archiver|httrack|harvest',
    'feed ?(?:fetcher|parser|validator|consumer|burner|press)|podcast sync|importer|fetcher\\b|monitoring|linkpreview',
    'facebookexternalhit|meta-external|whatsapp|skypeuripreview|embedly|flipboard|mastodon|misskey|gotosocial',
    'mediapartners|google-(?:safety|read)|bingpreview|lighthouse|pagespeed|headless|phantomjs|selenium|puppeteer|playwright',
    'pingdom|uptime|statuscake|newrelic|datadog|nagios|zabbix|site24x7',
    '^(?:lib)?curl\\b|libcurl|^wget|^aria2|^lavf/|python|^ruby|libwww|lwp::|^java/|^perl|^php|^go-http|^deno|^bun/|^dart/',
    '^axios|^got[/ ]|node-fetch|^node$|^node[/.]|undici|^okhttp|httpclient|guzzle|^hackney|^http\\.?rb|http-tiny|colly|aiohttp|httpx',
    'listennotes|podchaser|rephonic|castfeedvalidator|chartable|podsights|magellanai|acast-tester|blubrry|libsyn4',
    // Apple's watch asks a second time for what the phone had already
    '^atc/|\\(null\\)/\\(null\\) watchos',
  ].join('|'),
  'i',
);
/** A maker of phones, in the user agent of every browser on them. */
const NO_ROBOT = /\bcubot\b/i;

/** Whether a download was fetched by a machine for itself: such never count. An app that hides its name is one, too. */
export function isBot(userAgent: string): boolean {
  if (userAgent.trim() === '') return true;
  return ROBOTS.test(userAgent) && !NO_ROBOT.test(userAgent);
}

/**
 * The part of an address that stands for one listener: IPv4 whole, IPv6 cut to /64 (IAB 2.3), as its first four groups
 * without leading zeros.
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
