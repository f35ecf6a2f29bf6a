import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished, pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { ERROR_KINDS, type ErrorKind, type ErrorParams, notAuthorized } from '../../base/errors';
import { describeProblem } from '../../base/problems';
import { SECONDS } from '../../base/time';
import { videoInvalid, videoTooLarge } from '../../domain/soundbites/errors';
import { makeVideo } from '../../domain/soundbites/make-video';
import { type VideoPlan, videoPlan } from '../../domain/soundbites/schema';
import { allowLongBody } from '../../http/body-arrival';
import type { NodeHandler } from '../../http/listener';
import { nodeClientRequest } from '../../http/request-context';
import { FILE_HEADERS, isOwnNodeRequest } from '../../http/security';
import type { HttpExchange } from '../../http/send-object';
import { VIDEO_LIMITS } from '../../limits/soundbites';
import type { Runtime } from '../../runtime/runtime';
import { cookieContext } from '../../trpc/context';
import { warnOfFullDisk } from '../../watching/disk-warning';
import { noteRoute, requestIdOf } from '../../watching/observed-response';

const VIDEO_URL = /^\/soundbite-videos\/([1-9]\d{0,14})$/;
/** A refused client is still sending. It gets this long to read the response before the connection closes. */
const REFUSAL_GRACE = SECONDS(5);
const PLAN_BYTES = 16 * 1024;

/**
 * `POST /soundbite-videos/{id}`, for the team of its creator: a form with a `plan` (JSON, soundbites/schema.ts) and its
 * pictures, answered with an MP4.
 * @returns whether the URL is one of a video
 */
export function soundbiteVideosDoor(runtime: Runtime, trustedProxies: number): NodeHandler {
  async function answer(id: number, { req, res }: HttpExchange): Promise<void> {
    const client = await nodeClientRequest(req, trustedProxies, requestIdOf(res));
    const ctx = await cookieContext(runtime, client, new Headers());
    const left = new AbortController();
    res.once('close', () => left.abort());
    try {
      if (!isOwnNodeRequest(req, { appUrl: runtime.urls.settings.appUrl, trustProxy: trustedProxies > 0 }))
        throw notAuthorized();
      const { signal } = left;
      const receive = (lost: AbortSignal) => readForm(req, lost);
      await makeVideo(ctx, { id }, { receive, send: (video) => sendVideo(res, video), signal });
    } catch (error) {
      const problem = describeProblem(error);
      if (problem.kind === 'no_space') warnOfFullDisk(ctx, error);
      if (problem.unexpected && !left.signal.aborted) ctx.log.error({ err: error, soundbiteId: id }, 'video not made');
      refuse(req, res, { ...problem, detail: ctx.translate(`errors:${problem.code}`, problem.params) });
    }
  }
  return (req, res) => {
    const id = VIDEO_URL.exec(req.url ?? '')?.[1];
    if (id === undefined) return false;
    noteRoute(res, '/soundbite-videos/:id');
    // the listener answers if the session can't be read
    if (req.method === 'POST') return answer(Number(id), { req, res }).then(() => true);
    res.writeHead(405, { ...FILE_HEADERS, allow: 'POST', 'content-length': '0' }).end();
    return true;
  };
}

/** Ends with the answer, also of a client that reads slowly or not at all. */
async function sendVideo(res: ServerResponse, video: Buffer): Promise<void> {
  const deadline = setTimeout(() => res.destroy(), VIDEO_LIMITS.sentWithin);
  const headers = { ...FILE_HEADERS, 'content-type': 'video/mp4', 'cache-control': 'private, no-store' };
  res.writeHead(200, { ...headers, 'content-length': String(video.length) }).end(video);
  await finished(res).catch(() => {});
  clearTimeout(deadline);
}

type Form = { plan: VideoPlan; pictures: Buffer[] };

/** @throws soundbite.video_invalid, soundbite.video_too_large */
async function readForm(req: IncomingMessage, lost: AbortSignal): Promise<Form> {
  const { stillBytes, requestBytes, stills } = VIDEO_LIMITS;
  if (Number(req.headers['content-length'] ?? Number.POSITIVE_INFINITY) > requestBytes) throw videoTooLarge();
  if (!/^multipart\/form-data\b/i.test(req.headers['content-type'] ?? '')) throw videoInvalid();
  allowLongBody(req);
  const pictures: Buffer[] = [];
  let written = '';
  let isTooLarge = false;
  try {
    const parser = new Busboy({
      headers: { 'content-type': req.headers['content-type']! },
      limits: { files: stills + 1, fileSize: stillBytes, fields: 1, fieldSize: PLAN_BYTES, parts: stills + 2 },
    });
    parser.on('partsLimit', () => parser.destroy(new Error('too many parts')));
    parser.on('field', (name: string | undefined, value) => {
      if (name === 'plan') written = value;
    });
    parser.on('file', (_name, stream) => {
      const at = pictures.push(Buffer.alloc(0)) - 1;
      const parts: Buffer[] = [];
      stream.on('error', () => {});
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('limit', () => {
        isTooLarge = true;
      });
      stream.on('end', () => {
        pictures[at] = Buffer.concat(parts);
      });
    });
    const signal = AbortSignal.any([AbortSignal.timeout(VIDEO_LIMITS.receivedWithin), lost]);
    await pipeline(req, parser, { signal });
  } catch {
    throw videoInvalid();
  }
  if (isTooLarge) throw videoTooLarge();
  return { plan: parsePlan(written), pictures };
}

function parsePlan(written: string): VideoPlan {
  try {
    return videoPlan.parse(JSON.parse(written));
  } catch {
    throw videoInvalid();
  }
}

type Refusal = { kind: ErrorKind; code: string; params: ErrorParams; detail: string };

function refuse(req: IncomingMessage, res: ServerResponse, { kind, code, params, detail }: Refusal): void {
  if (res.headersSent || res.destroyed) return void res.destroy();
  const headers = { ...FILE_HEADERS, 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  const retry = params.seconds === undefined ? {} : { 'retry-after': String(params.seconds) };
  res.writeHead(ERROR_KINDS[kind].status, { ...headers, ...retry, connection: 'close' });
  res.end(JSON.stringify({ code, detail }));
  req.unpipe();
  req.resume();
  setTimeout(() => req.destroy(), REFUSAL_GRACE).unref();
}
