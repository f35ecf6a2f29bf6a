import type { App } from '../http/app-env';
import { noteAppRoute } from '../http/record-requests';
import type { Runtime } from '../runtime/runtime';
import type { AnswerCache } from './answer-cache';
import { answerCall } from './answer-call';
import { corsHeaders, preflightHeaders } from './cors';
import { DOCS_POLICY, docsPage } from './docs-page';
import { matchCall } from './match';
import { openApi } from './openapi';

const HEADERS = {
  'cache-control': 'private, no-store',
  vary: 'Accept-Language, Authorization, Origin',
  // responses are not pages: if a browser renders one anyway, no script runs
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Mounts `/api/*`, the legacy REST API. @param origins origins whose pages may call it from a browser */
export function restDoor(runtime: Runtime, origins: readonly string[], answers: AnswerCache) {
  return (app: App): void => {
    app.options('/api/*', (c) => {
      const match = matchCall('OPTIONS', c.req.path.replace(/^\/api\//, ''));
      const allow: Record<string, string> = match && !match.call ? { allow: match.allow } : {};
      const headers = { ...allow, ...preflightHeaders(c.req.header('origin') ?? null, origins), vary: 'Origin' };
      return new Response(null, { status: 204, headers });
    });
    for (const slash of ['', '/']) mountDocuments(app, runtime.urls.settings.appUrl, slash);
    app.all('/api/*', async (c) => {
      const context = c.get('requestContext');
      noteAppRoute(c, templateOf(c.req.method, c.req.path));
      const response = await answerCall({ runtime, answers }, c.req.raw, context);
      const headers = { ...HEADERS, ...corsHeaders(c.req.header('origin') ?? null, origins) };
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
      const type = response.headers.get('content-type');
      if (type?.startsWith('application/json')) response.headers.set('content-type', 'application/json; charset=utf-8');
      return response;
    });
  };
}

/** The path in the table, with its parameters' names. */
function templateOf(method: string, path: string): string {
  const match = matchCall(method, path.replace(/^\/api\//, ''));
  return match?.call ? `/api/${match.call.path}` : '/api/*';
}

/** Serves the OpenAPI document and its HTML page. Each is generated on the first request. */
function mountDocuments(app: App, appUrl: string, slash: string): void {
  let schema: string | undefined;
  let page: string | undefined;
  const shared = { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' };
  app.get(`/api/schema.json${slash}`, (c) => {
    schema ??= JSON.stringify(openApi(appUrl));
    return c.body(schema, 200, { ...shared, 'content-type': 'application/json; charset=utf-8' });
  });
  app.get(`/api/docs${slash}`, (c) => {
    page ??= docsPage(appUrl);
    return c.html(page, 200, { ...shared, 'content-security-policy': DOCS_POLICY });
  });
}
