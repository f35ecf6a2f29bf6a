import type { Span } from '~/db/values/listening';
import type { LogFault, LogFormat } from '~/db/values/log-imports';

/** One request, as a CDN has logged it. `range`: what was sent of the file; null for the whole file or if not known. */
export type LogLine = {
  at: Date;
  method: string;
  status: number;
  /** Path and query. */
  url: string;
  bytes: number;
  range: Span | null;
  address: string;
  userAgent: string;
  referrer: string | undefined;
};

/** Reads the lines of one file. Null: a comment, or an empty line. */
export type LineReader = (line: string) => LogLine | LogFault | null;

export function lineReader(format: LogFormat): LineReader {
  if (format === 'cloudfront') return cloudFrontReader();
  return format === 'fastly' ? readFastly : readCombined;
}

// ── CloudFront: W3C extended, with tabs; a comment names the fields ──

const FIELDS =
  'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query'.split(
    ' ',
  );

function cloudFrontReader(): LineReader {
  let fields = new Map(FIELDS.map((name, i) => [name, i]));
  return (line) => {
    if (line.startsWith('#')) {
      const named = /^#Fields:\s*(.+)$/.exec(line)?.[1];
      if (named)
        fields = new Map(
          named
            .trim()
            .split(/\s+/)
            .map((name, i) => [name, i]),
        );
      return null;
    }
    if (line.trim() === '') return null;
    const cells = line.split('\t');
    const cell = (name: string) => present(cells[fields.get(name) ?? -1]);
    return readCloudFront(cell);
  };
}

function readCloudFront(cell: (name: string) => string | undefined): LogLine | LogFault {
  const [date, time, address, path] = [cell('date'), cell('time'), cell('c-ip'), cell('cs-uri-stem')];
  if (!date || !time || !address || !path) return 'unreadable';
  const query = cell('cs-uri-query');
  const [start, end] = [cell('sc-range-start'), cell('sc-range-end')].map((text) => (text ? Number(text) : null));
  return toLine({
    ...{ at: new Date(`${date}T${time}Z`), address, bytes: cell('sc-bytes'), status: cell('sc-status') },
    ...{ method: cell('cs-method'), url: query ? `${path}?${query}` : path },
    range: typeof start === 'number' && typeof end === 'number' ? { from: start, to: end + 1 } : null,
    userAgent: decoded(cell('cs(User-Agent)')),
    referrer: decoded(cell('cs(Referer)')),
  });
}

// ── Fastly: JSON with the names of its documentation, perhaps after a syslog header; or its default format ──

const NAMES = {
  at: 'timestamp time start_time',
  address: 'client_ip ip fastly_client_ip',
  method: 'request_method method',
  url: 'url request_url path',
  status: 'response_status status',
  bytes: 'response_body_size bytes response_bytes body_bytes',
  userAgent: 'request_user_agent user_agent',
  referrer: 'request_referer referer referrer request_referrer',
  sent: 'response_content_range content_range',
  requested: 'request_range range',
};

const readFastly: LineReader = (line) => {
  const start = line.indexOf('{');
  if (start === -1) return readCombined(line.replace(/^<\d{1,3}>.*?\]: /, ''));
  const values = parsed(line.slice(start));
  if (!values) return 'unreadable';
  const field = (name: keyof typeof NAMES) => {
    // an object may have a `toString` that can't be called
    const value = NAMES[name]
      .split(' ')
      .map((known) => values[known])
      .find((known) => typeof known === 'string' || typeof known === 'number');
    return present(value === undefined ? undefined : String(value));
  };
  const [at, address, url] = [field('at'), field('address'), field('url')];
  if (!at || !address || !url) return 'unreadable';
  const rest = { method: field('method'), status: field('status'), bytes: field('bytes'), referrer: field('referrer') };
  const range = sentRange(field('sent')) ?? requestedRange(field('requested'), Number(rest.bytes));
  return toLine({ ...rest, at: readTime(at), address, url: pathOf(url), range, userAgent: field('userAgent') });
};

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** `bytes 0-99/200` */
function sentRange(text: string | undefined): Span | null {
  const [, from, to] = /^bytes (\d{1,15})-(\d{1,15})\//.exec(text ?? '') ?? [];
  return from === undefined ? null : { from: Number(from), to: Number(to) + 1 };
}

/** `bytes=100-` with the bytes that were sent. A suffix such as `bytes=-500` does not tell its place. */
function requestedRange(text: string | undefined, bytes: number): Span | null {
  const [, from, to] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(text ?? '') ?? [];
  if (from === undefined || !(bytes > 0)) return null;
  return { from: Number(from), to: to ? Number(to) + 1 : Number(from) + bytes };
}

// ── Combined: the default of Apache and nginx; without the last two fields, that of Fastly ──

const COMBINED =
  /^(\S{1,100}) \S{1,200} \S{1,200} \[([^\]]{1,40})\] "((?:[^"\\]|\\.)*)" (\d{3}) (\d{1,15}|-)(?: "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)")?/;
const REQUEST = /^([A-Z]{3,10}) (\S+)(?: HTTP\/[\d.]{1,5})?$/;

const readCombined: LineReader = (line) => {
  if (line.trim() === '') return null;
  const [, address, time, request = '', status, bytes, referrer, userAgent] = COMBINED.exec(line) ?? [];
  const [, method, url] = REQUEST.exec(unescaped(request)) ?? [];
  if (!address || !time || !url) return 'unreadable';
  return toLine({
    ...{ at: readTime(time), address, method, url: pathOf(url), status, range: null },
    ...{ bytes: bytes === '-' ? '0' : bytes, userAgent: present(unescaped(userAgent)) },
    referrer: present(unescaped(referrer)),
  });
};

/** `\"` and `\x22` */
const unescaped = (text = '') =>
  text
    .replace(/\\x([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\(["\\])/g, '$1');

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const LOG_TIME = /^(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}:\d{2}:\d{2}) ([+-]\d{2})(\d{2})$/;

/** `10/Oct/2026:13:55:36 -0700`, or ISO 8601, also with an offset as `+0000`. */
function readTime(text: string): Date {
  const [, day, month = '', year, time, hours, minutes] = LOG_TIME.exec(text) ?? [];
  if (day === undefined) return new Date(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  const number = `${MONTHS.indexOf(month) + 1}`.padStart(2, '0');
  return new Date(`${year}-${number}-${day}T${time}${hours}:${minutes}`);
}

// ── shared ──

/** `-` stands for nothing. */
const present = (text: string | undefined): string | undefined => (!text || text === '-' ? undefined : text);

/** Some proxies log whole addresses. */
const pathOf = (url: string): string =>
  /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url).pathname + new URL(url).search : url;

function decoded(text: string | undefined): string | undefined {
  try {
    return text && decodeURIComponent(text);
  } catch {
    return text;
  }
}

type Texts = Pick<LogLine, 'at' | 'url' | 'address' | 'range'> & {
  [name in 'method' | 'status' | 'bytes' | 'userAgent' | 'referrer']: string | undefined;
};

function toLine({ at, status, bytes, method, userAgent = '', range, ...line }: Texts): LogLine | LogFault {
  if (Number.isNaN(at.getTime())) return 'bad_time';
  const numbers = { status: Number(status), bytes: Number(bytes ?? 0) };
  if (!method || !Number.isInteger(numbers.status) || !Number.isSafeInteger(numbers.bytes) || numbers.bytes < 0)
    return 'unreadable';
  const isRange = range !== null && Number.isSafeInteger(range.from) && Number.isSafeInteger(range.to);
  return { ...line, ...numbers, at, method, userAgent, range: isRange && range.from < range.to ? range : null };
}
