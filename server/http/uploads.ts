import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DEFAULT_LANGUAGE, isLanguage } from '~/locales/languages';
import { readCookie } from '../auth/cookies';
import type { Ctx } from '../ctx';
import { UPLOAD_ERRORS, uploadNotFound, uploadUsed } from '../domain/media/errors';
import { assertDiskSpace, findOpenUpload, receiveUpload, type UploadRow } from '../domain/media/uploading';
import type { StorageSettings } from '../env/storage';
import { ERROR_KINDS } from '../errors';
import { acceptedLanguage } from '../messages';
import { requireUser } from '../policy/actor';
import { describeProblem } from '../problems';
import { type Runtime, systemCtx } from '../runtime';
import { SECONDS } from '../time';
import { cookieContext } from '../trpc/context';
import { takeFile } from './form-upload';
import type { NodeHandler } from './listener';
import { openTus, type TusServer } from './tus';

const FORM_ADDRESS = /^\/uploads\/form\/([0-9a-f]{32})(?:\?|$)/;
const TUS_ADDRESS = /^\/uploads\/tus(?:\/([0-9a-f]{32}))?\/?(?:\?|$)/;
/** A refused client still sends; it gets this long to read why before the line is cut. */
const PARTING = SECONDS(5);
/** The key in the address is the proof: pages of the legacy front end live on another origin. */
const FORM_CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, PUT',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '86400',
};

/**
 * The door by which files come in: `/uploads/tus`, resumable, for who is logged in, and `/uploads/form/{key}`, in one go,
 * for who holds the key. Each checks the ticket, and so whose file it is, its type and size, before the first byte.
 */
export function createUploadsDoor(runtime: Runtime, storage: StorageSettings): NodeHandler {
  let tus: Promise<TusServer> | null = null;
  const tusServer = () => {
    const onReceived = (key: string, bytes: number) => receiveUpload(systemCtx(runtime, 'uploads'), key, bytes);
    tus ??= openTus({ storage, origin: runtime.urls.settings.appUrl, onReceived });
    return tus;
  };
  return (req, res) => {
    const { url = '' } = req;
    if (!url.startsWith('/uploads/')) return false;
    const formKey = FORM_ADDRESS.exec(url)?.[1];
    const answered = formKey
      ? answerForm(runtime, formKey, req, res)
      : answerTus(runtime, tusServer, TUS_ADDRESS.exec(url), req, res);
    return answered.then(() => true);
  };
}

async function answerForm(runtime: Runtime, key: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
  for (const [name, value] of Object.entries(FORM_CORS)) res.setHeader(name, value);
  if (req.method === 'OPTIONS') return void res.writeHead(204).end();
  if (req.method !== 'POST' && req.method !== 'PUT')
    return void res.writeHead(405, { allow: 'POST, PUT, OPTIONS' }).end();
  const ctx = await contextOf(runtime, req);
  try {
    const upload = await findOpenUpload(ctx, key, { ownerOnly: false });
    if (upload.receivedAt) throw uploadUsed();
    await assertDiskSpace(ctx, upload.byteSize);
    await takeFile(ctx, upload, req);
    res.writeHead(204).end();
  } catch (error) {
    refuse(ctx, error, req, res);
  }
}

async function answerTus(
  runtime: Runtime,
  tusServer: () => Promise<TusServer>,
  address: RegExpExecArray | null,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const ctx = await contextOf(runtime, req);
  try {
    if (!address) throw uploadNotFound();
    if (req.method !== 'OPTIONS') await assertMaySend(ctx, address[1], req);
    await (await tusServer()).handle(req, res);
  } catch (error) {
    refuse(ctx, error, req, res);
  }
}

/** Who sends must hold the ticket, and a new upload must be what the ticket says. */
async function assertMaySend(ctx: Ctx, addressed: string | undefined, req: IncomingMessage): Promise<void> {
  requireUser(ctx);
  const creates = req.method === 'POST';
  const continues = req.method === 'PATCH' || req.method === 'HEAD' || req.method === 'DELETE';
  const key = creates ? keyOfMetadata(req.headers['upload-metadata']) : addressed;
  if (!key || !(creates ? addressed === undefined : continues)) throw uploadNotFound();
  const upload = await findOpenUpload(ctx, key, { ownerOnly: true });
  if (creates) assertAsAnnounced(upload, req);
  if (creates || req.method === 'PATCH') await assertDiskSpace(ctx, creates ? upload.byteSize : 0);
}

function assertAsAnnounced(upload: UploadRow, req: IncomingMessage): void {
  if (upload.receivedAt) throw uploadUsed();
  const length = Number(req.headers['upload-length']);
  if (length === upload.byteSize) return;
  throw UPLOAD_ERRORS[upload.purpose === 'episode_audio' ? 'upload.audio_too_large' : 'upload.too_large']();
}

/** tus sends metadata as `name base64,name base64`. */
function keyOfMetadata(header: string | string[] | undefined): string | undefined {
  const pairs = String(header ?? '')
    .split(',')
    .map((pair) => pair.trim().split(' '));
  const value = pairs.find(([name]) => name === 'key')?.[1];
  const key = value && Buffer.from(value, 'base64').toString('latin1');
  return key && /^[0-9a-f]{32}$/.test(key) ? key : undefined;
}

function contextOf(runtime: Runtime, { headers, socket }: IncomingMessage): Promise<Ctx> {
  const known = new Headers({ cookie: headers.cookie ?? '', 'user-agent': headers['user-agent'] ?? '' });
  const stored = readCookie(headers.cookie, 'language');
  const language = isLanguage(stored) ? stored : (acceptedLanguage(headers['accept-language']) ?? DEFAULT_LANGUAGE);
  const facts = { headers: known, host: headers.host ?? '', address: socket.remoteAddress ?? '', language };
  // cookies that want renewing wait for the next page
  return cookieContext(runtime, { ...facts, requestId: randomUUID() }, new Headers());
}

function refuse(ctx: Ctx, error: unknown, req: IncomingMessage, res: ServerResponse): void {
  const problem = describeProblem(error);
  if (problem.unexpected && !req.destroyed) ctx.log.error({ err: error, url: req.url }, 'an upload failed');
  if (res.headersSent || res.destroyed) return void res.destroy();
  const { status } = ERROR_KINDS[problem.kind];
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    connection: 'close',
    'cache-control': 'no-store',
  };
  res.writeHead(status, headers);
  res.end(JSON.stringify({ code: problem.code, detail: ctx.translate(`errors:${problem.code}`, problem.params) }));
  // cutting the line at once would keep the client from reading the answer
  req.unpipe();
  req.resume();
  setTimeout(() => req.destroy(), PARTING).unref();
}
