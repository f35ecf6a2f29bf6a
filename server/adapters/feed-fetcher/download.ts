import { setTimeout as sleep } from 'node:timers/promises';
import { SECONDS } from '../../base/time';
import type { ObjectStore } from '../storage/port';
import { decompress } from './bodies';
import {
  bodyCut,
  bodyTooLarge,
  changedMeanwhile,
  isPermanent,
  isTemporary,
  responseInvalid,
  statusError,
  timedOut,
} from './errors';
import { MAX_PARTS, type Parts, partsOf, type StoredParts } from './parts';
import type { Downloaded, DownloadRequest, FetcherLimits } from './port';
import type { OpenResponse, Requester } from './requests';
import { isContinuation, isResumable, type Progress, progressOf, rangeHeaders, totalBytes } from './resume';
import { translateBodyError } from './translate-error';

type Job = {
  requests: Requester;
  request: DownloadRequest;
  limits: FetcherLimits;
  parts: Parts;
  signal: AbortSignal;
};
type Options = Pick<Job, 'requests' | 'request' | 'limits'> & { store: ObjectStore };
/** All bytes are stored in parts; `resumedBytes` of them came from earlier requests. */
type Complete = { progress: Progress; bytes: number; resumedBytes: number };

/**
 * Downloads a file into the store, in parts. After a broken connection it requests the rest; a later call in another
 * process does so too. A response counts as the rest of the same file only if resume.ts accepts it and its overlap
 * matches the stored bytes; otherwise the download starts over. Rejects a wrong length or checksum.
 */
export async function download(options: Options): Promise<Downloaded> {
  const late = new AbortController();
  const { url, withinMs } = options.request;
  const expire = () => late.abort(timedOut({ host: new URL(url).hostname }));
  const clock = withinMs === undefined ? undefined : setTimeout(expire, withinMs);
  try {
    return await downloadAll({ ...options, signal: late.signal });
  } finally {
    clearTimeout(clock);
  }
}

async function downloadAll(options: Options & Pick<Job, 'signal'>): Promise<Downloaded> {
  const { store, request, limits, signal } = options;
  const job = { ...options, parts: partsOf(store, request.key) };
  let resumedFrom = (await job.parts.found()).bytes;
  let stored = resumedFrom;
  for (let attempt = 1; ; attempt++) {
    try {
      const complete = await fetchRemaining(job);
      resumedFrom = Math.min(resumedFrom, complete.resumedBytes);
      return { url: request.url, ...(await joinAndVerify(store, job, complete)), resumedFrom };
    } catch (error) {
      if (isPermanent(error)) await job.parts.clear();
      if (!isTemporary(error) || signal.aborted) throw error;
      // a large file over a slow connection takes many attempts, so only those without progress count
      const { bytes } = await job.parts.found();
      if (bytes >= stored + limits.partBytes) [stored, attempt] = [bytes, 1];
      else if (attempt >= limits.attempts) throw error;
      await pause(limits.retryMs * attempt, job);
    }
  }
}

async function pause(ms: number, { requests, signal }: Job): Promise<void> {
  await sleep(ms, undefined, { signal: AbortSignal.any([requests.closed, signal]) }).catch((error) => {
    throw signal.aborted ? signal.reason : error;
  });
}

/** Requests the missing bytes; if the response does not continue the stored parts, requests the whole file. */
async function fetchRemaining(job: Job): Promise<Complete> {
  const { parts, request, limits } = job;
  const found = await parts.found();
  const progress = found.count > 0 && found.count < MAX_PARTS ? await parts.progress() : null;
  if (progress?.url === request.url) {
    if (progress.total === found.bytes) return { progress, bytes: found.bytes, resumedBytes: found.bytes };
    const isComparable = found.lastBytes >= limits.overlapBytes && isResumable(progress);
    const complete = isComparable ? await resume(job, found, progress) : null;
    if (complete) return complete;
  }
  if (found.count > 0) await parts.clear();
  return sendRequest(job, {}, (response) => storeAll(job, response));
}

type Handle<T> = (response: OpenResponse) => Promise<T>;

async function sendRequest<T>(
  { requests, request, signal }: Job,
  range: Record<string, string>,
  handle: Handle<T>,
): Promise<T> {
  const headers = { accept: '*/*', 'accept-encoding': 'identity', ...range };
  const response = await requests.get({ url: request.url, headers, maxBytes: request.maxBytes, lane: 'file', signal });
  try {
    return await handle(response);
  } finally {
    response.done();
  }
}

/** Null if the response is not the rest of the stored file. */
async function resume(job: Job, found: StoredParts, progress: Progress): Promise<Complete | null> {
  const { overlapBytes } = job.limits;
  const from = found.bytes - overlapBytes;
  return sendRequest(job, rangeHeaders(from, progress), async (response) => {
    if (response.status === 200) {
      await job.parts.clear();
      return storeAll(job, response);
    }
    if (isTemporary(statusError(response))) throw statusError(response);
    if (!isContinuation(response, from, progress)) return null;
    const total = progress.total ?? totalBytes(response);
    const stream = chunksOf(job, response, from);
    const ahead = await readAhead(stream, overlapBytes);
    if (!ahead.subarray(0, overlapBytes).equals(await job.parts.tail(found, overlapBytes))) {
      await stream.return();
      return null;
    }
    const received = await storeParts(job, prepend(ahead.subarray(overlapBytes), stream), found.count);
    return assertComplete(
      { ...progress, total },
      { response, bytes: found.bytes + received, resumedBytes: found.bytes },
    );
  });
}

async function storeAll(job: Job, response: OpenResponse): Promise<Complete> {
  const { request, parts } = job;
  if (response.status !== 200) throw statusError(response);
  const progress = progressOf(request.url, response);
  if ((progress.total ?? 0) > request.maxBytes) throw bodyTooLarge({ host: response.host });
  await parts.saveProgress(progress);
  const bytes = await storeParts(job, chunksOf(job, response, 0), 0);
  return assertComplete(progress, { response, bytes, resumedBytes: 0 });
}

type Received = { response: OpenResponse; bytes: number; resumedBytes: number };

function assertComplete(progress: Progress, { response, bytes, resumedBytes }: Received): Complete {
  const { host } = response;
  if (progress.total !== null && bytes < progress.total) throw bodyCut({ host });
  if (progress.total !== null && bytes > progress.total) throw responseInvalid({ host });
  if (response.hasSurplus()) throw responseInvalid({ host });
  return { progress, bytes, resumedBytes };
}

/** Yields the body, and translates errors of the connection but not those of the consumer. */
async function* chunksOf({ request, limits }: Job, response: OpenResponse, from: number): AsyncGenerator<Buffer, void> {
  const { host, body, headers } = response;
  const startedAt = performance.now();
  let bytes = 0;
  try {
    const maxBytes = request.maxBytes - from;
    for await (const chunk of decompress(body, headers.get('content-encoding') ?? null, { host, maxBytes })) {
      bytes += (chunk as Buffer).length;
      const ms = performance.now() - startedAt;
      if (ms > limits.wholeMs && bytes < (ms / SECONDS(1)) * limits.minBytesPerSecond) throw timedOut({ host });
      yield chunk as Buffer;
    }
  } catch (error) {
    throw translateBodyError(error, response);
  }
}

/** Reads at least this many bytes, unless the stream ends first. */
async function readAhead(stream: AsyncGenerator<Buffer, void>, bytes: number): Promise<Buffer> {
  const held: Buffer[] = [];
  for (let size = 0; size < bytes; ) {
    const { value } = await stream.next();
    if (!value) break;
    held.push(value);
    size += value.length;
  }
  return Buffer.concat(held);
}

async function* prepend(first: Buffer, stream: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  if (first.length > 0) yield first;
  yield* stream;
}

/** Stores full parts, numbered from `first`, and after a broken connection also the last, incomplete one. */
async function storeParts(
  { parts, limits }: Job,
  stream: AsyncGenerator<Buffer, void>,
  first: number,
): Promise<number> {
  let [held, size, bytes]: [Buffer[], number, number] = [[], 0, 0];
  let index = first;
  const put = async () => {
    if (size > 0) await parts.put(index++, Buffer.concat(held));
    [held, size, bytes] = [[], 0, bytes + size];
  };
  try {
    for await (const chunk of stream) {
      held.push(chunk);
      size += chunk.length;
      if (size >= limits.partBytes) await put();
    }
  } catch (error) {
    // a smaller part could not be compared with the overlap
    if (isTemporary(error) && size >= limits.overlapBytes) await put();
    throw error;
  }
  await put();
  return bytes;
}

async function joinAndVerify(store: ObjectStore, { parts, request }: Job, { progress, bytes }: Complete) {
  const { contentType } = progress;
  const joined = await parts.join(contentType ?? 'application/octet-stream');
  const isValid = joined.bytes === bytes && (request.sha256 ?? joined.sha256).toLowerCase() === joined.sha256;
  if (!isValid) await store.remove(request.key);
  await parts.clear();
  if (!isValid) throw changedMeanwhile({ host: new URL(request.url).hostname });
  return { ...joined, contentType };
}
