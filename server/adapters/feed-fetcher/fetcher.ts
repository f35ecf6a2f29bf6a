import { MINUTES, SECONDS } from '../../base/time';
import { KILOBYTES, MEGABYTES } from '../../limits/sizes';
import { parsePublicUrl } from './addresses';
import { decompress, readAll } from './bodies';
import { deliver } from './deliver';
import { download } from './download';
import { bodyTooLarge, responseInvalid, statusError } from './errors';
import type {
  FeedFetcher,
  Fetched,
  FetchedBody,
  FetcherLimits,
  FetcherSettings,
  FetchRequest,
  PostRequest,
  ProbeRequest,
  Unchanged,
} from './port';
import { type OpenResponse, type Requester, requester } from './requests';
import { translateBodyError } from './translate-error';

export const LIMITS: FetcherLimits = {
  connectMs: SECONDS(10),
  headersMs: SECONDS(20),
  idleMs: SECONDS(20),
  wholeMs: MINUTES(2),
  headerBytes: 32 * KILOBYTES,
  redirects: 10,
  perHost: 2,
  hostGapMs: 100,
  partBytes: 8 * MEGABYTES,
  overlapBytes: 64 * KILOBYTES,
  minBytesPerSecond: 64 * KILOBYTES,
  attempts: 5,
  retryMs: SECONDS(1),
};

/** Nothing uses the reply to a form. */
const MAX_REPLY = 64 * KILOBYTES;

/** Fetches feeds, images and audio from other servers. No input can make it connect to a private address. */
export function feedFetcher(settings: FetcherSettings): FeedFetcher {
  const limits = { ...LIMITS, ...settings.limits };
  const requests = requester(settings, limits);
  return {
    fetch: (request) => fetchOnce(requests, request),
    post: (request) => postForm(requests, request),
    deliver: (request) => deliver(requests, request),
    checkAddress: async (url) => void parsePublicUrl(url, settings),
    probe: (request) => probe(requests, request),
    download: (store, request) => download({ requests, store, request, limits }),
    close: async () => requests.close(),
  };
}

type Known = NonNullable<FetchRequest['known']>;

async function fetchOnce(requests: Requester, request: FetchRequest): Promise<FetchedBody | Unchanged> {
  const { url, maxBytes, accept = '*/*', known = {}, stopsAt, signal } = request;
  const conditions = conditionalHeaders(known);
  const headers = { accept, 'accept-encoding': 'gzip, br, deflate', ...conditions };
  const response = await requests.get({ url, headers, maxBytes, lane: 'feed', stopsAt, signal });
  try {
    const described = toFetched(response);
    if (response.status === 304 && Object.keys(conditions).length > 0)
      return { ...described, ...confirmedValidators(described, known), unchanged: true };
    if (response.status !== 200) throw statusError(response);
    return { ...described, unchanged: false, bytes: await readBody(response, maxBytes) };
  } catch (error) {
    throw translateBodyError(error, response);
  } finally {
    response.done();
  }
}

async function postForm(requests: Requester, { url, form }: PostRequest): Promise<void> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(form).toString();
  const response = await requests.get({ url, headers, body, maxBytes: MAX_REPLY, lane: 'feed' });
  response.done();
  if (response.status < 200 || response.status >= 300) throw statusError(response);
}

/** Many hosts answer HEAD with an error although they have the page. */
async function probe(requests: Requester, request: ProbeRequest): Promise<number> {
  const status = await statusOf(requests, request, 'HEAD');
  return status < 400 ? status : statusOf(requests, request, 'GET');
}

async function statusOf(
  requests: Requester,
  { url, answerMs, signal }: ProbeRequest,
  method: 'HEAD' | 'GET',
): Promise<number> {
  const headers = { accept: '*/*' };
  const response = await requests.get({ url, headers, method, maxBytes: MAX_REPLY, lane: 'feed', answerMs, signal });
  response.done();
  return response.status;
}

/** A 304 response need not repeat the validators that it confirms. */
function confirmedValidators({ etag, lastModified }: Fetched, known: Known) {
  return { etag: etag ?? known.etag ?? null, lastModified: lastModified ?? known.lastModified ?? null };
}

/** Request headers for the validators of an earlier response, if they are valid header values. */
function conditionalHeaders({ etag, lastModified }: Known): Record<string, string> {
  const conditions = { 'if-none-match': etag, 'if-modified-since': lastModified };
  const sendable = Object.entries(conditions).filter(([, value]) => /^[\x20-\x7e]+$/.test(value ?? ''));
  return Object.fromEntries(sendable.map(([name, value]) => [name, value ?? '']));
}

async function readBody(response: OpenResponse, maxBytes: number): Promise<Buffer> {
  const { host, body, headers } = response;
  if (Number(headers.get('content-length') ?? 0) > maxBytes) throw bodyTooLarge({ host });
  const bytes = await readAll(decompress(body, headers.get('content-encoding') ?? null, { host, maxBytes }));
  if (response.hasSurplus()) throw responseInvalid({ host });
  return bytes;
}

function toFetched({ url, movedTo, headers }: OpenResponse): Fetched {
  return {
    url,
    movedTo,
    contentType: headers.get('content-type') ?? null,
    etag: headers.get('etag') ?? null,
    lastModified: headers.get('last-modified') ?? null,
  };
}
