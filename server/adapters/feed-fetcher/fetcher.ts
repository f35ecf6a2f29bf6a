import { MINUTES, SECONDS } from '../../time';
import { collected, plainBody } from './bodies';
import { download } from './download';
import { answerInvalid, bodyTooLarge, unwanted } from './errors';
import type {
  FeedFetcher,
  Fetched,
  FetchedBody,
  FetcherLimits,
  FetcherSettings,
  FetchRequest,
  Unchanged,
} from './port';
import { type Answer, type Requester, requester } from './requests';
import { bodyRefusal } from './translate-error';

const KILOBYTES = 1000;
const MEGABYTES = 1000 * KILOBYTES;

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
  slowestBytes: 64 * KILOBYTES,
  attempts: 5,
  retryMs: SECONDS(1),
};

/** The fetcher of feeds, pictures and audio of strangers. Nothing it is given can make it reach a private address. */
export function feedFetcher(settings: FetcherSettings): FeedFetcher {
  const limits = { ...LIMITS, ...settings.limits };
  const requests = requester(settings, limits);
  return {
    fetch: (request) => fetchOnce(requests, request),
    download: (store, request) => download({ requests, store, request, limits }),
    close: async () => requests.close(),
  };
}

type Known = NonNullable<FetchRequest['known']>;

async function fetchOnce(requests: Requester, request: FetchRequest): Promise<FetchedBody | Unchanged> {
  const { url, maxBytes, accept = '*/*', known = {} } = request;
  const conditions = conditionsOf(known);
  const headers = { accept, 'accept-encoding': 'gzip, br, deflate', ...conditions };
  const answer = await requests.get({ url, headers, maxBytes, lane: 'feed' });
  try {
    const described = describe(answer);
    if (answer.status === 304 && Object.keys(conditions).length > 0)
      return { ...described, ...stillKnown(described, known), unchanged: true };
    if (answer.status !== 200) throw unwanted(answer);
    return { ...described, unchanged: false, bytes: await wholeBody(answer, maxBytes) };
  } catch (error) {
    throw bodyRefusal(error, answer);
  } finally {
    answer.done();
  }
}

/** A 304 need not repeat what it confirms. */
function stillKnown({ etag, lastModified }: Fetched, known: Known) {
  return { etag: etag ?? known.etag ?? null, lastModified: lastModified ?? known.lastModified ?? null };
}

/** Of what a server once said of itself, what may stand in a header again. */
function conditionsOf({ etag, lastModified }: Known): Record<string, string> {
  const conditions = { 'if-none-match': etag, 'if-modified-since': lastModified };
  const sendable = Object.entries(conditions).filter(([, value]) => /^[\x20-\x7e]+$/.test(value ?? ''));
  return Object.fromEntries(sendable.map(([name, value]) => [name, value ?? '']));
}

async function wholeBody(answer: Answer, maxBytes: number): Promise<Buffer> {
  const { host, body, headers } = answer;
  if (Number(headers.get('content-length') ?? 0) > maxBytes) throw bodyTooLarge({ host });
  const bytes = await collected(plainBody(body, headers.get('content-encoding') ?? null, { host, maxBytes }));
  if (answer.hasSurplus()) throw answerInvalid({ host });
  return bytes;
}

function describe({ url, movedTo, headers }: Answer): Fetched {
  return {
    url,
    movedTo,
    contentType: headers.get('content-type') ?? null,
    etag: headers.get('etag') ?? null,
    lastModified: headers.get('last-modified') ?? null,
  };
}
