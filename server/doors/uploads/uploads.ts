import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERROR_KINDS, notAuthorized } from '../../base/errors';
import { describeProblem } from '../../base/problems';
import { SECONDS } from '../../base/time';
import { UPLOAD_ERRORS, uploadNotFound, uploadUsed } from '../../domain/media/errors';
import { TUS_ENDPOINT, tooLargeCode } from '../../domain/media/rules';
import { assertDiskSpace, findOpenUpload, receiveUpload, type UploadRow } from '../../domain/media/uploads';
import type { StorageSettings } from '../../env/storage';
import { type Lazy, openOnce } from '../../flow/open-once';
import type { NodeHandler } from '../../http/listener';
import { nodeClientRequest } from '../../http/request-context';
import { isOwnNodeRequest, NO_PAGE_HEADERS } from '../../http/security';
import type { HttpExchange } from '../../http/send-object';
import { requireUser } from '../../policy/actor';
import type { Ctx } from '../../runtime/ctx';
import { type Runtime, systemCtx } from '../../runtime/runtime';
import { cookieContext } from '../../trpc/context';
import { warnOfFullDisk } from '../../watching/disk-warning';
import { noteRoute, requestIdOf } from '../../watching/observed-response';
import { storeFile } from './form-upload';
import { openTus, type TusServer } from './tus';

const FORM_URL = /^\/uploads\/form\/([0-9a-f]{32})(?:\?|$)/;
/**
 * Without a query: the tus library would take the last segment of the whole URL as the key, not the key that is checked
 * here.
 */
const TUS_URL = /^\/uploads\/tus(?:\/([0-9a-f]{32}))?\/?$/;
/** A rejected client is still sending. It gets this long to read the response before the connection closes. */
const REJECTION_GRACE = SECONDS(5);
/** Open to every origin, because the key in the URL authorizes: the legacy front end is on another origin. */
const FORM_CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, PUT',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '86400',
};

export type UploadSettings = { storage: StorageSettings; trustedProxies: number };

/**
 * Receives files: `/uploads/tus`, resumable, for logged-in users on our own pages, and `/uploads/form/{key}`, one
 * request, for anyone with the key. Both check the ticket (owner, type and size) before the first byte.
 */
export function createUploadsDoor(runtime: Runtime, settings: UploadSettings): NodeHandler {
  const tus = openOnce(() =>
    openTus({
      storage: settings.storage,
      locker: runtime.uploadLocks,
      origin: runtime.urls.settings.appUrl,
      onReceived: (key, bytes) => receiveUpload(systemCtx(runtime, 'uploads'), key, bytes),
    }),
  );
  const { appUrl } = runtime.urls.settings;
  const isOwn = (req: IncomingMessage) => isOwnNodeRequest(req, { appUrl, trustProxy: settings.trustedProxies > 0 });
  async function answer(url: string, exchange: HttpExchange): Promise<void> {
    // a session that needs a new cookie gets it with the next page
    const client = await nodeClientRequest(exchange.req, settings.trustedProxies, requestIdOf(exchange.res));
    const ctx = await cookieContext(runtime, client, new Headers());
    const formKey = FORM_URL.exec(url)?.[1];
    if (formKey) await answerForm(ctx, formKey, exchange);
    else if (!isOwn(exchange.req)) rejectUpload(ctx, notAuthorized(), exchange.req, exchange.res);
    else await answerTus(ctx, tus, TUS_URL.exec(url), exchange);
  }
  return (req, res) => {
    const { url = '' } = req;
    if (!url.startsWith('/uploads/')) return false;
    noteRoute(res, url.startsWith('/uploads/form/') ? '/uploads/form/:key' : '/uploads/tus/:key');
    for (const [name, value] of Object.entries(NO_PAGE_HEADERS)) res.setHeader(name, value);
    return answer(url, { req, res }).then(() => true);
  };
}

async function answerForm(ctx: Ctx, key: string, { req, res }: HttpExchange): Promise<void> {
  for (const [name, value] of Object.entries(FORM_CORS)) res.setHeader(name, value);
  if (req.method === 'OPTIONS') return void res.writeHead(204).end();
  if (req.method !== 'POST' && req.method !== 'PUT')
    return void res.writeHead(405, { allow: 'POST, PUT, OPTIONS' }).end();
  try {
    const upload = await findOpenUpload(ctx, key, { ownerOnly: false });
    if (upload.receivedAt) throw uploadUsed();
    await assertDiskSpace(ctx, upload.byteSize);
    await storeFile(ctx, upload, req);
    res.writeHead(204).end();
  } catch (error) {
    rejectUpload(ctx, error, req, res);
  }
}

async function answerTus(
  ctx: Ctx,
  tus: Lazy<TusServer>,
  match: RegExpExecArray | null,
  { req, res }: HttpExchange,
): Promise<void> {
  try {
    if (!match) throw uploadNotFound();
    if (req.method !== 'OPTIONS') await assertMaySend(ctx, match[1], req);
    // the library derives the key from the URL again, so it sees only the checked one
    req.url = match[1] ? `${TUS_ENDPOINT}/${match[1]}` : TUS_ENDPOINT;
    await (await tus.get()).handle(req, res);
  } catch (error) {
    rejectUpload(ctx, error, req, res);
  }
}

/** The user must own the ticket, and a new upload must match it. */
async function assertMaySend(ctx: Ctx, keyInUrl: string | undefined, req: IncomingMessage): Promise<void> {
  requireUser(ctx);
  const creates = req.method === 'POST';
  const continues = req.method === 'PATCH' || req.method === 'HEAD' || req.method === 'DELETE';
  const key = creates ? keyOfMetadata(req.headers['upload-metadata']) : keyInUrl;
  if (!key || !(creates ? keyInUrl === undefined : continues)) throw uploadNotFound();
  const upload = await findOpenUpload(ctx, key, { ownerOnly: true });
  if (creates) assertMatchesTicket(upload, req);
  if (creates || req.method === 'PATCH') await assertDiskSpace(ctx, creates ? upload.byteSize : 0);
}

function assertMatchesTicket(upload: UploadRow, req: IncomingMessage): void {
  if (upload.receivedAt) throw uploadUsed();
  const length = Number(req.headers['upload-length']);
  if (length === upload.byteSize) return;
  throw UPLOAD_ERRORS[tooLargeCode(upload.purpose)]();
}

/** The `key` in tus metadata, which has the form `name base64,name base64`. */
function keyOfMetadata(header: string | string[] | undefined): string | undefined {
  const pairs = String(header ?? '')
    .split(',')
    .map((pair) => pair.trim().split(' '));
  const value = pairs.find(([name]) => name === 'key')?.[1];
  const key = value && Buffer.from(value, 'base64').toString('latin1');
  return key && /^[0-9a-f]{32}$/.test(key) ? key : undefined;
}

function rejectUpload(ctx: Ctx, error: unknown, req: IncomingMessage, res: ServerResponse): void {
  const problem = describeProblem(error);
  if (problem.kind === 'no_space') warnOfFullDisk(ctx, error);
  if (problem.unexpected && !req.destroyed) ctx.log.error({ err: error }, 'upload failed');
  if (res.headersSent || res.destroyed) return void res.destroy();
  const { status } = ERROR_KINDS[problem.kind];
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    connection: 'close',
    'cache-control': 'no-store',
    ...(problem.kind === 'unavailable' && { 'retry-after': String(problem.params.seconds) }),
  };
  res.writeHead(status, headers);
  res.end(JSON.stringify({ code: problem.code, detail: ctx.translate(`errors:${problem.code}`, problem.params) }));
  // closing at once would keep the client from reading the response
  req.unpipe();
  req.resume();
  setTimeout(() => req.destroy(), REJECTION_GRACE).unref();
}
