import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectStore } from '../storage/port';
import { plainBody } from './bodies';
import { type Downloaded, type DownloadRequest, type FetcherLimits, FetchRefused } from './port';
import { type Answer, type Requester, refusal } from './requesting';

/** What is known of a download under way; lies beside its parts, so that another process can go on with it. */
type Progress = { url: string; validator: string | null; total: number | null; contentType: string | null };
/** What lies there already; `progress` is set where it may be gone on with. */
type Have = { count: number; bytes: number; progress: Progress | null };
type Work = { requests: Requester; store: ObjectStore; request: DownloadRequest; limits: FetcherLimits };

const NOTHING: Have = { count: 0, bytes: 0, progress: null };
const MOST_PARTS = 10_000;
const PASSING = new Set(['connection_failed', 'timed_out', 'body_cut']);

/**
 * A stranger's file into the store. Parts are put as they come; a break is followed by a request for the rest (Range with
 * If-Range), also by a later call of another process. A file that changed meanwhile is begun anew. Refused are lengths
 * that are not kept and a checksum other than expected.
 */
export async function download(
  requests: Requester,
  store: ObjectStore,
  request: DownloadRequest,
  limits: FetcherLimits,
): Promise<Downloaded> {
  const work = { requests, store, request, limits };
  const resumedFrom = (await listParts(work)).bytes;
  let reached = resumedFrom;
  for (let attempt = 1; ; attempt++) {
    try {
      return { ...(await finish(work, await advance(work))), resumedFrom };
    } catch (error) {
      const reason = error instanceof FetchRefused ? error.reason : null;
      if (reason === 'body_too_large') await clear(work);
      if (reason === null || !PASSING.has(reason)) throw error;
      // a large file over a slow line takes many; only those that bring nothing count
      const { bytes } = await listParts(work);
      if (bytes >= reached + limits.partBytes) [reached, attempt] = [bytes, 1];
      else if (attempt >= limits.attempts) throw error;
      await sleep(limits.retryMs * attempt);
    }
  }
}

const partKey = ({ request }: Work, index: number) => `${request.key}.parts/${String(index).padStart(5, '0')}`;
const progressKey = ({ request }: Work) => `${request.key}.parts/progress.json`;

async function listParts(work: Work): Promise<{ count: number; bytes: number }> {
  const found = await work.store.list(`${work.request.key}.parts/0`, MOST_PARTS);
  return { count: found.length, bytes: found.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** One request for what is missing; where its answer does not fit what is there, a second one for all of it. */
async function advance(work: Work): Promise<Progress> {
  const progress = await readProgress(work);
  const { count, bytes } = await listParts(work);
  const resumable = bytes > 0 && progress?.url === work.request.url && progress.validator !== null;
  if (resumable && progress.total === bytes) return progress;
  const went = resumable ? await ask(work, { count, bytes, progress }) : null;
  if (went) return went;
  if (bytes > 0) await clear(work);
  return (await ask(work, NOTHING))!;
}

/** Null only where something was there and the rest that came is not its rest. */
async function ask(work: Work, have: Have): Promise<Progress | null> {
  const range: Record<string, string> = have.progress?.validator
    ? { range: `bytes=${have.bytes}-`, 'if-range': have.progress.validator }
    : {};
  const answer = await work.requests.get(work.request.url, { accept: '*/*', 'accept-encoding': 'identity', ...range });
  try {
    return have.progress && !continues(answer, have.bytes, have.progress) ? null : await take(work, answer, have);
  } catch (error) {
    throw refusal(error, answer.url);
  } finally {
    answer.done();
  }
}

/** Some servers ignore If-Range and send the rest of another file; 416 is another file that is shorter. */
function continues(answer: Answer, from: number, known: Progress): boolean {
  if (answer.status === 416) return false;
  if (answer.status !== 206) return true;
  // the answer may leave out Last-Modified, not the ETag (RFC 9110 §15.3.7)
  const { headers } = answer;
  const validator = known.validator?.startsWith('"') ? headers.get('etag') : headers.get('last-modified');
  const total = totalOf(answer, from);
  return (
    startOf(answer) === from &&
    !isEncoded(answer) &&
    (validator ?? known.validator) === known.validator &&
    (total === null || known.total === null || total === known.total)
  );
}

async function take(work: Work, answer: Answer, have: Have): Promise<Progress> {
  const { request, store } = work;
  const resumed = answer.status === 206;
  if (!resumed && answer.status !== 200)
    throw new FetchRefused('status_unexpected', answer.url, { status: answer.status });
  const from = resumed ? startOf(answer) : 0;
  if (resumed && from !== have.bytes) throw new FetchRefused('answer_invalid', answer.url);
  if (!resumed && have.bytes > 0) await clear(work);
  const total = totalOf(answer, from);
  if ((total ?? 0) > request.maxBytes) throw new FetchRefused('body_too_large', answer.url);
  const progress: Progress = {
    url: request.url,
    validator: (resumed ? have.progress?.validator : null) ?? validatorOf(answer),
    total,
    contentType: answer.headers.get('content-type') ?? null,
  };
  const state = Buffer.from(JSON.stringify(progress));
  await store.put(progressKey(work), state, { contentType: 'application/json', bytes: state.length });
  const got = await keep(work, answer, resumed ? have.count : 0, request.maxBytes - from);
  if (total !== null && from + got !== total) throw new FetchRefused('body_cut', answer.url);
  return { ...progress, total: from + got };
}

/** Writes parts as they fill; what came before a break is kept too, since it need not come again. */
async function keep(work: Work, answer: Answer, first: number, maxBytes: number): Promise<number> {
  const body = plainBody(answer.body, answer.headers.get('content-encoding') ?? null, { url: answer.url, maxBytes });
  let [index, held, bytes]: [number, Buffer[], number] = [first, [], 0];
  const put = async () => {
    const part = Buffer.concat(held);
    held = [];
    if (part.length === 0) return;
    await work.store.put(partKey(work, index++), part, { contentType: 'application/octet-stream', bytes: part.length });
    bytes += part.length;
  };
  let size = 0;
  try {
    for await (const chunk of body) {
      held.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size >= work.limits.partBytes) {
        await put();
        size = 0;
      }
    }
  } catch (error) {
    // without a validator the rest could be of another file
    if (validatorOf(answer)) await put();
    throw error;
  }
  await put();
  return bytes;
}

/**
 * Only a strong ETag or a date promises that the rest belongs to what is there (RFC 9110 §13.1.5). None does for an encoded
 * body: what is there was decoded, so that its length is no place in what was sent.
 */
function validatorOf(answer: Answer): string | null {
  const { headers } = answer;
  if (isEncoded(answer)) return null;
  const etag = headers.get('etag');
  if (etag && !etag.startsWith('W/')) return etag;
  return headers.get('last-modified') ?? null;
}

function isEncoded({ headers }: Answer): boolean {
  return !/^(?:identity)?$/i.test(headers.get('content-encoding')?.trim() ?? '');
}

function startOf(answer: Answer): number {
  return Number(/^bytes (\d+)-/.exec(answer.headers.get('content-range') ?? '')?.[1] ?? -1);
}

function totalOf(answer: Answer, from: number): number | null {
  const { headers } = answer;
  const total = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1];
  if (total) return Number(total);
  const length = headers.get('content-length');
  return length === undefined || isEncoded(answer) ? null : from + Number(length);
}

async function readProgress(work: Work): Promise<Progress | null> {
  if (!(await work.store.head(progressKey(work)))) return null;
  const chunks: Buffer[] = [];
  for await (const chunk of await work.store.read(progressKey(work))) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** All parts as one object, hashed on the way; they go once it is there. */
async function finish(work: Work, progress: Progress): Promise<Omit<Downloaded, 'resumedFrom'>> {
  const { request, store } = work;
  const parts = await listParts(work);
  const hash = createHash('sha256');
  let bytes = 0;
  async function* whole() {
    for (let index = 0; index < parts.count; index++)
      for await (const chunk of await store.read(partKey(work, index))) {
        hash.update(chunk as Buffer);
        bytes += (chunk as Buffer).length;
        yield chunk as Buffer;
      }
  }
  const contentType = progress.contentType ?? 'application/octet-stream';
  await store.put(request.key, Readable.from(whole()), { contentType, bytes: parts.bytes });
  const sha256 = hash.digest('hex');
  await clear(work);
  if (bytes === parts.bytes && (!request.sha256 || request.sha256 === sha256))
    return { url: request.url, bytes, sha256, contentType: progress.contentType };
  await store.remove(request.key);
  throw new FetchRefused('changed_meanwhile', request.url);
}

async function clear(work: Work): Promise<void> {
  await work.store.remove(progressKey(work));
  for (const { key } of await work.store.list(`${work.request.key}.parts/`, MOST_PARTS)) await work.store.remove(key);
}
