import type { App } from '../http/app';
import type { Runtime } from '../runtime';
import { corsHeaders, preflightHeaders } from './cors';
import { DOCS_POLICY, docsPage } from './docs-page';
import { answerCall } from './handle';
import { matchCall } from './match';
import { openApi } from './openapi';

const ALWAYS = {
  'cache-control': 'private, no-store',
  vary: 'Accept-Language, Authorization, Origin',
  // nothing here is a page: whatever a browser is tricked into showing runs nothing
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Mounts `/api/*`, the legacy REST API. @param origins of pages that may call it from their browsers */
export function restDoor(runtime: Runtime, origins: readonly string[]) {
  return (app: App): void => {
    app.options('/api/*', (c) => {
      const match = matchCall('OPTIONS', c.req.path.replace(/^\/api\//, ''));
      const allow: Record<string, string> = match && !match.call ? { allow: match.allow } : {};
      const headers = { ...allow, ...preflightHeaders(c.req.header('origin') ?? null, origins), vary: 'Origin' };
      return new Response(null, { status: 204, headers });
    });
    for (const slash of ['', '/']) mountDocuments(app, runtime.urls.settings.appUrl, slash);
    app.all('/api/*', async (c) => {
      const facts = c.get('facts');
      const answer = await answerCall(runtime, c.req.raw, facts);
      const headers = { ...ALWAYS, ...corsHeaders(c.req.header('origin') ?? null, origins) };
      for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
      const type = answer.headers.get('content-type');
      if (type?.startsWith('application/json')) answer.headers.set('content-type', 'application/json; charset=utf-8');
      answer.headers.set('x-request-id', facts.requestId);
      return answer;
    });
  };
}

/** What the calls are, for machines and for people; made when somebody first asks. */
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
