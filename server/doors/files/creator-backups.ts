import type { ServerResponse } from 'node:http';
import { LEAVING_PATH } from '../../base/account-paths';
import { translate } from '../../base/messages';
import { describeProblem } from '../../base/problems';
import { type Download, findDownload } from '../../domain/creator-backup/find-download';
import type { NodeHandler } from '../../http/listener';
import { nodeClientRequest, ownActorOf, readSession } from '../../http/request-context';
import { FILE_HEADERS } from '../../http/security';
import { type HttpExchange, sendObject } from '../../http/send-object';
import type { Runtime } from '../../runtime/runtime';
import { noteRoute } from '../../watching/observed-response';

const BACKUP_URL = /^\/archives\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.zip(?:\?|$)/;
const HEADERS = { ...FILE_HEADERS, 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' };

type WantedBackup = { id: string; trustedProxies: number };

/**
 * Serves the backups of creators to their owners, who must be logged in. Range requests continue an interrupted
 * download.
 * @returns whether the URL is one of a backup
 */
export function creatorBackupsDoor(runtime: Runtime, trustedProxies: number): NodeHandler {
  return (req, res) => {
    const id = BACKUP_URL.exec(req.url ?? '')?.[1];
    if (id === undefined) return false;
    noteRoute(res, '/archives/:id.zip');
    if (req.method !== 'GET' && req.method !== 'HEAD') refuseDownload(res, 405, '', { allow: 'GET, HEAD' });
    else void deliverBackup(runtime, { id, trustedProxies }, { req, res });
    return true;
  };
}

async function deliverBackup(
  runtime: Runtime,
  { id, trustedProxies }: WantedBackup,
  exchange: HttpExchange,
): Promise<void> {
  const { req, res } = exchange;
  try {
    const session = await readSession(runtime.sessions, req.headers.cookie);
    const found = await findDownload({ ...runtime, actor: ownActorOf(session) }, id);
    await sendZip(runtime, { id, ...found }, exchange);
  } catch (error) {
    const { kind } = describeProblem(error);
    if (kind !== 'expired' && kind !== 'unauthenticated') runtime.log.error({ err: error }, 'archive delivery failed');
    if (res.headersSent) return;
    // after the log-in, the page has a working link
    if (kind === 'unauthenticated') return refuseDownload(res, 303, '', { location: LEAVING_PATH });
    const { language } = await nodeClientRequest(req, trustedProxies);
    const text = kind === 'expired' ? 'archive.expired' : 'common.something_went_wrong';
    refuseDownload(res, kind === 'expired' ? 410 : 500, translate(language, `errors:${text}`));
  }
}

async function sendZip({ ports }: Runtime, { id, ...found }: Download & { id: string }, exchange: HttpExchange) {
  const headers = {
    ...HEADERS,
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="${found.fileName}"`,
  };
  const parts = found.parts.map(({ key, bytes }) => ({ bytes, from: { key, start: 0 } }));
  await sendObject(ports.storage, { parts, bytes: found.bytes, etag: `"${id}"`, headers }, exchange);
}

function refuseDownload(res: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  res.writeHead(status, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8', ...headers }).end(text);
}
