import { collected, plainBody } from './bodies';
import { download } from './downloading';
import type { FeedFetcher, Fetched, FetcherLimits, FetcherSettings, FetchRequest } from './port';
import { FetchRefused } from './port';
import { type Answer, type Requester, refusal, requester } from './requesting';

const MEGABYTES = 1_000_000;
const SECONDS = 1000;

/** Bounds of one fetch; a download has `wholeMs` for each attempt. */
export const LIMITS: FetcherLimits = {
  connectMs: 10 * SECONDS,
  headersMs: 20 * SECONDS,
  idleMs: 20 * SECONDS,
  wholeMs: 120 * SECONDS,
  headerBytes: 32_768,
  redirects: 10,
  perHost: 2,
  hostGapMs: 100,
  partBytes: 8 * MEGABYTES,
  attempts: 5,
  retryMs: SECONDS,
};

/** The fetcher of feeds, pictures and audio of strangers. Nothing it is given can make it reach a private address. */
export function feedFetcher(settings: FetcherSettings): FeedFetcher {
  const limits = { ...LIMITS, ...settings.limits };
  const requests = requester(settings, limits);
  return {
    fetch: (request) => fetchOnce(requests, request),
    download: (store, request) => download(requests, store, request, limits),
    close: () => requests.close(),
  };
}

async function fetchOnce(requests: Requester, { url, maxBytes, accept, known }: FetchRequest) {
  const answer = await requests.get(url, {
    accept: accept ?? '*/*',
    'accept-encoding': 'gzip, br, deflate',
    ...(known?.etag ? { 'if-none-match': known.etag } : {}),
    ...(known?.lastModified ? { 'if-modified-since': known.lastModified } : {}),
  });
  try {
    if (answer.status === 304 && known) return { ...described(answer), unchanged: true as const };
    if (answer.status !== 200) throw new FetchRefused('status_unexpected', answer.url, { status: answer.status });
    return { ...described(answer), unchanged: false as const, bytes: await wholeBody(answer, maxBytes) };
  } catch (error) {
    throw refusal(error, answer.url);
  } finally {
    answer.done();
  }
}

async function wholeBody(answer: Answer, maxBytes: number): Promise<Buffer> {
  const said = Number(answer.headers.get('content-length') ?? 0);
  if (said > maxBytes) throw new FetchRefused('body_too_large', answer.url);
  const encoding = answer.headers.get('content-encoding') ?? null;
  return collected(plainBody(answer.body, encoding, { url: answer.url, maxBytes }));
}

export function described({ url, movedTo, headers }: Answer): Fetched {
  return {
    url,
    movedTo,
    contentType: headers.get('content-type') ?? null,
    etag: headers.get('etag') ?? null,
    lastModified: headers.get('last-modified') ?? null,
  };
}
