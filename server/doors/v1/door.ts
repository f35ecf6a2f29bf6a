import type { Context } from 'hono';
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '~/locales/languages';
import { API_DOCS_PATH } from '../../base/public-paths';
import type { ContentSource, Library } from '../../content/library';
import type { App, AppEnv } from '../../http/app-env';
import { noteAppRoute } from '../../http/record-requests';
import { API_LIMITS } from '../../limits/api';
import type { AnswerCache } from '../../rest/answer-cache';
import type { Runtime } from '../../runtime/runtime';
import { answerV1 } from './answer-v1';
import { openCallLog } from './call-log';
import { createCallerRates } from './caller-rates';
import { codesPage } from './docs-codes';
import { guidePage } from './docs-guide';
import { developersPage } from './docs-page';
import { CODES_PATH, DEVELOPERS_POLICY, type DocsSite } from './docs-shell';
import { matchV1 } from './match-call';
import { v1Document } from './openapi';

/** Mounts `/v1/*`, the API for everything new (docs/decisions/0400). @param requests of one caller in a minute */
export function v1Door(runtime: Runtime, answers: AnswerCache, requests: number = API_LIMITS.requests) {
  const door = { runtime, answers, rates: createCallerRates(requests) };
  const logCall = openCallLog(runtime);
  return (app: App): void => {
    const { appUrl } = runtime.urls.settings;
    mountDocument(app, appUrl);
    mountPages(app, { appUrl, requests, content: runtime.content });
    app.all('/v1/*', async (c) => {
      const context = c.get('requestContext');
      const match = matchV1(c.req.method, c.req.path.replace(/^\/v1/, ''));
      const template = match?.call ? match.template : '/v1/*';
      noteAppRoute(c, template);
      const startedAt = performance.now();
      const { response, call, access } = await answerV1(door, match, c.req.raw, context);
      const { requestId } = context;
      if (call && access)
        logCall(access, { method: call.method, path: template, status: response.status, requestId, startedAt });
      return response;
    });
  };
}

const SHARED = { 'cache-control': 'public, max-age=300' };

/** Serves the OpenAPI document, which is generated on the first request. */
function mountDocument(app: App, appUrl: string): void {
  let document: string | null = null;
  app.get('/v1/openapi.json', (c) => {
    document ??= JSON.stringify(v1Document(appUrl));
    const type = { 'access-control-allow-origin': '*', 'content-type': 'application/json; charset=utf-8' };
    return c.body(document, 200, { ...SHARED, ...type });
  });
  app.all('/v1/openapi.json', () => new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } }));
}

type Pages = { appUrl: string; requests: number; content: ContentSource };

/** The documentation at `/developers` and below, in English where the address names no language. */
function mountPages(app: App, { content, ...settings }: Pages): void {
  const read = keptPages(content, settings);
  const at = [
    { prefix: '', language: DEFAULT_LANGUAGE },
    ...LANGUAGES.map((each) => ({ prefix: `/${each}`, language: each })),
  ];
  for (const { prefix, language } of at) {
    const answer = async (c: Context<AppEnv>) => {
      // a creator's page may have any path
      if (c.get('requestContext').site.kind !== 'app') return c.notFound();
      const page = await read(language, c.req.param('name'));
      return page === null
        ? c.notFound()
        : c.html(page, 200, { ...SHARED, 'content-security-policy': DEVELOPERS_POLICY });
    };
    const path = prefix + API_DOCS_PATH;
    for (const each of [path, `${path}/`, `${path}/:name`, `${path}/:name/`]) app.get(each, answer);
  }
}

/** Pages are made once for each state of the texts. */
function keptPages(content: ContentSource, settings: Omit<DocsSite, 'library'>) {
  const made = new WeakMap<Library, Map<string, string>>();
  return async (language: Language, name: string | undefined): Promise<string | null> => {
    const library = await content.library();
    const pages = made.get(library) ?? new Map<string, string>();
    made.set(library, pages);
    const known = pages.get(`${language} ${name}`);
    const page = known ?? docsPageAt({ ...settings, library }, language, name);
    // addresses that lead nowhere are not kept
    if (page !== null) pages.set(`${language} ${name}`, page);
    return page;
  };
}

function docsPageAt(site: DocsSite, language: Language, name: string | undefined): string | null {
  if (name === undefined) return developersPage(site, language);
  return `/${name}` === CODES_PATH ? codesPage(site, language) : guidePage(site, language, name);
}
