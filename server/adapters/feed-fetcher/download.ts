import { setTimeout as sleep } from 'node:timers/promises';
import { SECONDS } from '../../time';
import type { ObjectStore } from '../storage/port';
import { plainBody } from './bodies';
import {
  answerInvalid,
  bodyCut,
  bodyTooLarge,
  changedMeanwhile,
  isFinal,
  isPassing,
  timedOut,
  unwanted,
} from './errors';
import { type Found, MOST_PARTS, type Parts, partsOf } from './parts';
import type { Downloaded, DownloadRequest, FetcherLimits } from './port';
import type { Answer, Requester } from './requests';
import { isResumable, mayContinue, type Progress, progressOf, rangeHeaders, totalOf } from './resume';
import { bodyRefusal } from './translate-error';

type Work = { requests: Requester; request: DownloadRequest; limits: FetcherLimits; parts: Parts };
/** All that there is to be had lies in parts; `kept` of it were there before. */
type Complete = { progress: Progress; bytes: number; kept: number };

/**
 * A stranger's file into the store. Parts are put as they come; a break is followed by a request for the rest, also by
 * a later call of another process. What comes is taken for the rest of the same file only if resuming.ts says so and
 * its overlap with what is there is the same; else the file is begun anew. Refused are lengths that are not kept and a
 * checksum other than expected.
 */
export async function download(given: Omit<Work, 'parts'> & { store: ObjectStore }): Promise<Downloaded> {
  const { store, request, limits, requests } = given;
  const work = { ...given, parts: partsOf(store, request.key) };
  let resumedFrom = (await work.parts.found()).bytes;
  let reached = resumedFrom;
  for (let attempt = 1; ; attempt++) {
    try {
      const complete = await advance(work);
      resumedFrom = Math.min(resumedFrom, complete.kept);
      return { url: request.url, ...(await finish(store, work, complete)), resumedFrom };
    } catch (error) {
      if (isFinal(error)) await work.parts.clear();
      if (!isPassing(error)) throw error;
      // a large file over a slow line takes many; only those that bring nothing count
      const { bytes } = await work.parts.found();
      if (bytes >= reached + limits.partBytes) [reached, attempt] = [bytes, 1];
      else if (attempt >= limits.attempts) throw error;
      await sleep(limits.retryMs * attempt, undefined, { signal: requests.closed });
    }
  }
}

/** One request for what is missing; where its answer does not fit what is there, a second one for all of it. */
async function advance(work: Work): Promise<Complete> {
  const { parts, request, limits } = work;
  const found = await parts.found();
  const progress = found.count > 0 && found.count < MOST_PARTS ? await parts.progress() : null;
  if (progress?.url === request.url) {
    if (progress.total === found.bytes) return { progress, bytes: found.bytes, kept: found.bytes };
    const isComparable = found.lastBytes >= limits.overlapBytes && isResumable(progress);
    const went = isComparable ? await goOn(work, found, progress) : null;
    if (went) return went;
  }
  if (found.count > 0) await parts.clear();
  return asking(work, {}, (answer) => takeAll(work, answer));
}

type Taking<T> = (answer: Answer) => Promise<T>;

async function asking<T>({ requests, request }: Work, range: Record<string, string>, take: Taking<T>): Promise<T> {
  const headers = { accept: '*/*', 'accept-encoding': 'identity', ...range };
  const answer = await requests.get({ url: request.url, headers, maxBytes: request.maxBytes, lane: 'file' });
  try {
    return await take(answer);
  } finally {
    answer.done();
  }
}

/** Null where what comes is not the rest of what is there. */
async function goOn(work: Work, found: Found, progress: Progress): Promise<Complete | null> {
  const { overlapBytes } = work.limits;
  const from = found.bytes - overlapBytes;
  return asking(work, rangeHeaders(from, progress), async (answer) => {
    if (answer.status === 200) {
      await work.parts.clear();
      return takeAll(work, answer);
    }
    if (isPassing(unwanted(answer))) throw unwanted(answer);
    if (!mayContinue(answer, from, progress)) return null;
    const total = progress.total ?? totalOf(answer);
    const stream = chunksOf(work, answer, from);
    const ahead = await readAhead(stream, overlapBytes);
    if (!ahead.subarray(0, overlapBytes).equals(await work.parts.tail(found, overlapBytes))) {
      await stream.return();
      return null;
    }
    const got = await keep(work, behind(ahead.subarray(overlapBytes), stream), found.count);
    return complete({ ...progress, total }, { answer, bytes: found.bytes + got, kept: found.bytes });
  });
}

async function takeAll(work: Work, answer: Answer): Promise<Complete> {
  const { request, parts } = work;
  if (answer.status !== 200) throw unwanted(answer);
  const progress = progressOf(request.url, answer);
  if ((progress.total ?? 0) > request.maxBytes) throw bodyTooLarge({ host: answer.host });
  await parts.keepProgress(progress);
  const bytes = await keep(work, chunksOf(work, answer, 0), 0);
  return complete(progress, { answer, bytes, kept: 0 });
}

type Taken = { answer: Answer; bytes: number; kept: number };

function complete(progress: Progress, { answer, bytes, kept }: Taken): Complete {
  const { host } = answer;
  if (progress.total !== null && bytes < progress.total) throw bodyCut({ host });
  if (progress.total !== null && bytes > progress.total) throw answerInvalid({ host });
  if (answer.hasSurplus()) throw answerInvalid({ host });
  return { progress, bytes, kept };
}

/** The body as it comes, its failures in our words; those of whoever reads it are not among them. */
async function* chunksOf({ request, limits }: Work, answer: Answer, from: number): AsyncGenerator<Buffer, void> {
  const { host, body, headers } = answer;
  const began = performance.now();
  let bytes = 0;
  try {
    const maxBytes = request.maxBytes - from;
    for await (const chunk of plainBody(body, headers.get('content-encoding') ?? null, { host, maxBytes })) {
      bytes += (chunk as Buffer).length;
      const ms = performance.now() - began;
      if (ms > limits.wholeMs && bytes < (ms / SECONDS(1)) * limits.slowestBytes) throw timedOut({ host });
      yield chunk as Buffer;
    }
  } catch (error) {
    throw bodyRefusal(error, answer);
  }
}

/** At least so many bytes, unless the stream ends before. */
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

async function* behind(first: Buffer, stream: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  if (first.length > 0) yield first;
  yield* stream;
}

/** Writes parts as they fill, from number `first` on; what came before a break is kept too. */
async function keep({ parts, limits }: Work, stream: AsyncGenerator<Buffer, void>, first: number): Promise<number> {
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
    // a smaller piece could not be compared with
    if (isPassing(error) && size >= limits.overlapBytes) await put();
    throw error;
  }
  await put();
  return bytes;
}

async function finish(store: ObjectStore, { parts, request }: Work, { progress, bytes }: Complete) {
  const { contentType } = progress;
  const made = await parts.join(contentType ?? 'application/octet-stream');
  const isWhole = made.bytes === bytes && (request.sha256 ?? made.sha256).toLowerCase() === made.sha256;
  if (!isWhole) await store.remove(request.key);
  await parts.clear();
  if (!isWhole) throw changedMeanwhile({ host: new URL(request.url).hostname });
  return { ...made, contentType };
}
