import { AppError } from '../../base/errors';
import { networkOf } from '../../flow/rate-limits';
import type { App } from '../../http/app-env';
import { openToPages } from '../../http/open-to-pages';
import type { RequestContext } from '../../http/request-context';
import { MCP_LIMITS } from '../../limits/apps';
import type { Runtime } from '../../runtime/runtime';
import { resourceDocumentUrl } from '../oauth/oauth-documents';
import { type ApiAccess, apiContext, callerOf, readBearer } from '../v1/api-access';
import { openCallLog } from '../v1/call-log';

const MCP_PATH = '/mcp';
const ALLOWED = 'POST, OPTIONS';
const HEADERS = { 'cache-control': 'no-store' };

/**
 * The assistant's door: MCP over streamable HTTP, without sessions (docs/decisions/0402). Keys and tokens of apps open it,
 * and no cookie, so assistants in pages of other sites may call it.
 */
export function mcpDoor(runtime: Runtime) {
  const challenge = `Bearer resource_metadata="${resourceDocumentUrl(runtime.urls.settings.appUrl, 'mcp')}"`;
  const logCall = openCallLog(runtime);
  return (app: App): void => {
    openToPages(app, MCP_PATH, ALLOWED);
    app.post(MCP_PATH, async (c) => {
      const context = c.get('requestContext');
      if (context.site.kind !== 'app') return c.text('Not found.', 404);
      const access = await admit(runtime, context);
      if (typeof access === 'number') {
        const refused = await runtime.rateLimits.consume('refusedToken', networkOf(context.address));
        if (refused) return tooMany(refused.retryAfterSeconds);
        const problem =
          access === 401 && c.req.header('authorization') ? `${challenge}, error="invalid_token"` : challenge;
        return rpcError(401, 'Log in, or send a key.', { 'www-authenticate': problem });
      }
      const startedAt = performance.now();
      const { response, name } = await answerCall(runtime, { access, context, request: c.req.raw });
      const path = name === undefined ? MCP_PATH : `${MCP_PATH} ${name}`;
      logCall(access, { method: 'POST', path, status: response.status, requestId: context.requestId, startedAt });
      return response;
    });
    app.all(MCP_PATH, (c) => c.text('Method not allowed.', 405, { allow: ALLOWED }));
  };
}

type Asked = { access: ApiAccess; context: RequestContext; request: Request };

/** `name`: of what was called, if it is known. */
async function answerCall(
  runtime: Runtime,
  { access, context, request }: Asked,
): Promise<{ response: Response; name?: string }> {
  const exceeded = await runtime.rateLimits.consume('mcp', callerOf(access));
  if (exceeded) return { response: tooMany(exceeded.retryAfterSeconds) };
  const text = await request.text();
  if (text.length > MCP_LIMITS.body) return { response: rpcError(413, 'The body is too large.') };
  const body = parseJson(text);
  // a batch would be many calls for one, and the protocol has none any more
  if (body === undefined || Array.isArray(body))
    return { response: rpcError(400, 'The body is not one message in JSON.', {}, PARSE_ERROR) };
  // assistants are few: the SDK is loaded with the first of them
  const { answerMcp, nameOfCall } = await import('./mcp-server');
  const ctx = apiContext(runtime, { ...context, language: access.language ?? context.language }, access);
  const response = await answerMcp({ ctx, access }, request, body);
  response.headers.set('cache-control', 'no-store');
  return { response, name: nameOfCall(body) };
}

/** The caller; 401 for one that is unknown, and for an app's token that is for another door (RFC 8707). */
async function admit(runtime: Runtime, context: RequestContext): Promise<ApiAccess | 401> {
  try {
    return await readBearer(runtime, context, 'mcp');
  } catch (error) {
    if (error instanceof AppError && error.kind === 'unauthenticated') return 401;
    throw error;
  }
}

const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;

function rpcError(
  status: number,
  message: string,
  headers: Record<string, string> = {},
  code = SERVER_ERROR,
): Response {
  const body = { jsonrpc: '2.0', error: { code, message }, id: null };
  return Response.json(body, { status, headers: { ...HEADERS, ...headers } });
}

const tooMany = (seconds: number) => rpcError(429, 'Too many requests.', { 'retry-after': String(seconds) });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
