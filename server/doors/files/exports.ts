import type { IncomingMessage, ServerResponse } from 'node:http';
import { translate } from '../../base/messages';
import { describeProblem } from '../../base/problems';
import { downloadExport } from '../../domain/accounts/base/schema';
import { findExport } from '../../domain/accounts/personal-data/export-data';
import type { NodeHandler } from '../../http/listener';
import { nodeClientRequest } from '../../http/request-context';
import { FILE_HEADERS } from '../../http/security';
import { type HttpExchange, sendObject, wholeObject } from '../../http/send-object';
import type { Runtime } from '../../runtime/runtime';
import { noteRoute } from '../../watching/observed-response';

const EXPORT_URL = /^\/exports\/([\da-f-]{36})\.zip(?:\?|$)/;

/**
 * Serves the exports of people's data to signed links. Range requests continue an interrupted download.
 * @returns whether the URL is one of an export
 */
export function exportsDoor(runtime: Runtime, trustedProxies: number): NodeHandler {
  return (req, res) => {
    const id = EXPORT_URL.exec(req.url ?? '')?.[1];
    if (id === undefined) return false;
    noteRoute(res, '/exports/:id.zip');
    if (req.method !== 'GET' && req.method !== 'HEAD') refuseLink(res, 405, '');
    else void deliverExport(runtime, { id, trustedProxies }, { req, res });
    return true;
  };
}

type WantedExport = { id: string; trustedProxies: number };

async function deliverExport(
  runtime: Runtime,
  { id, trustedProxies }: WantedExport,
  { req, res }: HttpExchange,
): Promise<void> {
  const { storage } = runtime.ports;
  try {
    const { objectKey, day } = await findExport(runtime, linkOf(req, id));
    const found = await storage.head(objectKey);
    const headers = {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="altavoz-${day}.zip"`,
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      ...FILE_HEADERS,
    };
    const file = {
      parts: wholeObject(objectKey, found?.bytes ?? 0),
      bytes: found?.bytes ?? 0,
      etag: found?.etag ?? '""',
      headers,
    };
    await sendObject(storage, file, { req, res });
  } catch (error) {
    const { kind } = describeProblem(error);
    const isLink = kind === 'expired' || kind === 'invalid';
    if (!isLink) runtime.log.error({ err: error }, 'export delivery failed');
    if (res.headersSent) return;
    const { language } = await nodeClientRequest(req, trustedProxies);
    refuseLink(
      res,
      isLink ? 410 : 500,
      translate(language, `errors:${isLink ? 'account.export_expired' : 'common.something_went_wrong'}`),
    );
  }
}

function linkOf(req: IncomingMessage, id: string) {
  const { searchParams } = new URL(req.url ?? '/', 'http://localhost');
  return downloadExport.parse({ id, expires: searchParams.get('expires'), signature: searchParams.get('signature') });
}

function refuseLink(res: ServerResponse, status: number, text: string): void {
  const headers = { ...FILE_HEADERS, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  res.writeHead(status, status === 405 ? { ...headers, allow: 'GET, HEAD' } : headers).end(text);
}
