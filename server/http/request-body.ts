import { createMiddleware } from 'hono/factory';
import { translate } from '../base/messages';
import { MAIL_WEBHOOKS_PATH } from '../base/public-paths';
import { BODY_LIMITS, FORM_LIMITS } from '../limits/http';
import type { AppEnv } from './app-env';

/**
 * Reads a whole body, up to a limit. A chunked body declares no length, so it is counted while it arrives.
 * @returns null if the body is larger; the rest is then not read
 */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return null;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Reading the body of such a request would turn the server's light request into a whole web request. */
const HAS_NO_BODY = new Set(['GET', 'HEAD']);
/** REST and the API read their own bodies, because they answer in their own formats. */
const READS_ITSELF = /^\/(?:api|v1)\//;

/** A transcript's form contains a file. */
const WITH_FILE = /\/episodes\/\d+\/transcript(?:\.data)?$/;

/** A form with an episode's notes. */
const WITH_NOTES = /\/episodes\/(?:create|edit\/\d+)(?:\.data)?$/;

/** Whether a page's own action reads the body, as text fields and keys of uploads. */
export function isPageForm(method: string, path: string): boolean {
  return method === 'POST' && !READS_ITSELF.test(path) && !path.startsWith('/trpc/') && !WITH_FILE.test(path);
}

function limitOf(path: string): number {
  if (path.startsWith('/trpc/')) return BODY_LIMITS.call;
  if (path.startsWith(`${MAIL_WEBHOOKS_PATH}/`)) return BODY_LIMITS.mailReport;
  if (WITH_FILE.test(path)) return BODY_LIMITS.transcript;
  return WITH_NOTES.test(path) ? BODY_LIMITS.notes : BODY_LIMITS.page;
}

const SEPARATOR = '&'.charCodeAt(0);

/** In other bodies, such as a transcript or a call, the separator is text. */
const isEncodedForm = ({ headers }: Request): boolean =>
  /^application\/x-www-form-urlencoded\b/i.test(headers.get('content-type') ?? '');

/** The number of fields of a form. A page would show each of them again beside its errors. */
function countFields(body: Uint8Array): number {
  let separators = 0;
  for (const byte of body) if (byte === SEPARATOR) separators += 1;
  return separators + 1;
}

/**
 * Rejects large bodies before anything parses them: parsing 60 MB of form fields would block the process for seconds.
 * A smaller body is replaced by its bytes, so that no parser waits for a client.
 */
export const limitBodies = createMiddleware<AppEnv>(async (c, next) => {
  const { raw } = c.req;
  const { language } = c.get('requestContext');
  if (HAS_NO_BODY.has(raw.method) || READS_ITSELF.test(c.req.path) || !raw.body) return next();
  const maxBytes = limitOf(c.req.path);
  let body: Uint8Array<ArrayBuffer> | null;
  try {
    body = await readBody(raw, maxBytes);
  } catch {
    // the client disconnected or sent broken chunks
    return c.text('The body did not arrive completely.', 400);
  }
  if (!body || (isEncodedForm(raw) && countFields(body) > FORM_LIMITS.fields))
    return c.text(translate(language, 'errors:common.body_too_large'), 413, { connection: 'close' });
  c.req.raw = new Request(raw.url, { method: raw.method, headers: raw.headers, signal: raw.signal, body });
  return next();
});
