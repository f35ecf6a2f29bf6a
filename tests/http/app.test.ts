import type { ServerBuild } from '@remix-run/node';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDb } from '~/db/client';
import { createSessions } from '~/server/auth/sessions';
import { rawDoors } from '~/server/doors/all-doors';
import { type AppSettings, createApp } from '~/server/doors/app';
import { createShowLanguages } from '~/server/http/caches/show-language';
import { RATE_LIMITS } from '~/server/limits/http';
import { createAnswerCache } from '~/server/rest/answer-cache';
import { cast } from '../support/cast';

const { runtime, env, stripeSandbox } = await cast();
const APP = env.urls.appUrl;
const LUCIA = 'http://staging-lucia.altavoz.localhost:3000';

/** A build with one route that renders the nonce, so tests can see what a page receives. */
const build = {
  entry: {
    module: {
      default: (_request: Request, status: number, headers: Headers, _ctx: unknown, context: { nonce: string }) =>
        new Response(`nonce ${context.nonce}`, {
          status,
          headers: { ...Object.fromEntries(headers), 'content-type': 'text/html' },
        }),
    },
  },
  routes: {
    root: {
      id: 'root',
      path: '*',
      module: { default: () => null, loader: () => null, action: () => null },
    },
  },
  assets: { entry: { imports: [], module: '' }, routes: {}, url: '', version: '' },
  future: { v3_singleFetch: true },
  publicPath: '/',
  assetsBuildDirectory: 'build/client',
  mode: 'test',
  isSpaMode: false,
} as unknown as ServerBuild;

const SETTINGS: AppSettings = {
  rules: { hosts: { ...env.urls, allowsUnprefixedHosts: true, trustProxy: false }, trustedProxies: 0 },
  policy: { urls: env.urls, uploadOrigin: null, development: false },
  readiness: { stopping: false },
  metricsToken: null,
  inboxUrl: null,
  simulatesPayments: false,
  build,
  showLanguages: createShowLanguages(runtime.db),
  clientDir: null,
  doors: [],
};

const open = (over: Partial<AppSettings> = {}) => createApp(runtime, { ...SETTINGS, ...over });

const app = open();
const fromSocket = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } }) as never;

test('the process is alive and ready', async () => {
  const [alive, ready] = [await app.request(`${APP}/healthz`), await app.request(`${APP}/readyz`)];

  expect(await alive.json()).toEqual({ ok: true });
  expect(ready.status).toBe(200);
  expect(await ready.json()).toEqual({ ok: true, database: true, queue: true, storage: true });
});

test('a stopping process is alive but not ready', async () => {
  const stopping = open({ readiness: { stopping: true } });

  expect((await stopping.request(`${APP}/readyz`)).status).toBe(503);
  expect((await stopping.request(`${APP}/healthz`)).status).toBe(200);
});

test('a page runs only scripts with the nonce of its own response', async () => {
  const [one, two] = [await app.request(`${APP}/es`), await app.request(`${APP}/es`)];

  const nonce = (await one.text()).replace('nonce ', '');
  expect(one.headers.get('content-security-policy')).toContain(`script-src 'self' 'nonce-${nonce}';`);
  expect(await two.text()).not.toContain(nonce);
  expect(one.headers.get('x-content-type-options')).toBe('nosniff');
  expect(one.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  const data = await app.request(`${APP}/healthz`);
  expect(data.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
});

test('a module is loaded with the first page that needs it', async () => {
  const { module } = build.routes.root!;
  const loadModule = vi.fn(async () => module);
  const routes = {
    root: { id: 'root', path: '', module },
    public: { id: 'public', parentId: 'root', path: 'public', module },
    late: { id: 'late', parentId: 'root', path: 'late', module: loadModule },
  };
  const pages = open({ build: { ...build, routes } as unknown as ServerBuild });

  expect((await pages.request(`${APP}/public`)).status).toBe(200);
  expect(loadModule).not.toHaveBeenCalled();

  const answers = await Promise.all([pages.request(`${APP}/late`), pages.request(`${APP}/late`)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(loadModule).toHaveBeenCalledTimes(1);
});

test('a non-canonical URL redirects to the canonical one', async () => {
  const response = await app.request(`${APP}/@lucia/p/ruido?page=2`);

  expect(response.status).toBe(301);
  expect(response.headers.get('location')).toBe(`${LUCIA}/p/ruido?page=2`);
});

test.each([
  ['a client that is not a browser', {}, true],
  ['our own page', { origin: APP }, true],
  ['another site', { origin: 'https://evil.example' }, false],
  ['our own host without encryption, or with', { origin: APP.replace('http:', 'https:') }, false],
  ['a page on another port', { origin: 'http://altavoz.localhost:9' }, false],
  ['another creator’s page', { origin: LUCIA }, false],
  ['a page without an origin', { origin: 'null' }, false],
  ['another site, according to Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }, false],
  ['another of our hosts, according to Sec-Fetch-Site', { 'sec-fetch-site': 'same-site' }, false],
])('the origin check of a form sent by %s', async (_, headers, accepted) => {
  const form = await app.request(`${APP}/login`, { method: 'POST', headers });
  const call = await app.request(`${APP}/trpc/accounts.logOut`, { method: 'POST', headers });

  expect(form.status === 403).toBe(!accepted);
  expect(call.status === 403).toBe(!accepted);
});

test('too many calls answer 429 with Retry-After, and the text states minutes', async () => {
  const attempt = () =>
    app.request(`${APP}/trpc/accounts.verifyEmail`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ json: { token: 'unknown' } }),
    });
  for (let i = 0; i < RATE_LIMITS.verifyEmail.points; i += 1) expect((await attempt()).status).not.toBe(429);

  const limited = await attempt();

  expect(limited.status).toBe(429);
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(500);
  expect(await limited.text()).toContain('Too many attempts. Wait 10 minutes and try again.');
});

test('a request body of 3 MB answers 413', async () => {
  const body = 'x'.repeat(3_000_000);

  const response = await app.request(`${APP}/trpc/accounts.logIn`, {
    method: 'POST',
    body,
    headers: { 'content-length': String(body.length) },
  });

  expect(response.status).toBe(413);
});

test('metrics require a local connection, or the token if one is configured', async () => {
  const guarded = open({ metricsToken: 'open sesame' });
  const get = (door: typeof app, address: string, headers: Record<string, string> = {}) =>
    door.request(`${APP}/metrics`, { headers }, fromSocket(address));

  expect((await get(app, '127.0.0.1')).status).toBe(200);
  expect((await get(app, '192.0.2.1')).status).toBe(403);
  expect((await get(app, '127.0.0.1', { 'x-forwarded-for': '192.0.2.1' })).status).toBe(403);
  expect((await get(guarded, '127.0.0.1')).status).toBe(403);
  const response = await get(guarded, '192.0.2.1', { authorization: 'Bearer open sesame' });
  expect(await response.text()).toContain('\ndatabase_up 1\n');
});

test('in production, the payments sandbox serves its pages but not its API and controls', async () => {
  const unused = {
    inbox: null,
    identitySandbox: null,
    spotifySandbox: null,
    dnsZone: null,
    directUrl: '',
    close: async () => {},
  };
  const opened = { runtime, jobsRuntime: runtime, stripeSandbox, ...unused };
  const [here, production] = [false, true].map((production) =>
    open({
      doors: rawDoors(
        opened,
        { ...env, production },
        createAnswerCache(() => false),
      ),
    }),
  );
  const statusAndNonce = async (app: typeof here, path: string) => {
    const response = await app!.request(`${APP}/_sandbox/stripe${path}`);
    return [response.status, (await response.text()).startsWith('nonce')];
  };

  expect(await statusAndNonce(here, '/v1/customers')).toEqual([401, false]);
  expect(await statusAndNonce(here, '/_control/webhooks')).toEqual([200, false]);
  for (const path of ['/v1/customers', '/v1/events', '/_control/webhooks'])
    expect((await statusAndNonce(production, path))[1]).toBe(true);
  expect(await statusAndNonce(production, '/receipts/ch_none')).toEqual([404, false]);
});

test('a call whose session cannot be read says so in the language of the request', async () => {
  const away = createDb('postgres://reader@127.0.0.1:1/away');
  onTestFinished(() => away.close());
  const apart = createApp({ ...runtime, sessions: createSessions(away.db) }, SETTINGS);
  const ask = (headers: Record<string, string>) =>
    apart.request(`${APP}/trpc/accounts.me`, { headers: { cookie: `token=${'a'.repeat(43)}`, ...headers } });

  const answers = [await ask({ 'accept-language': 'es' }), await ask({ 'accept-language': 'en' })];

  expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  const texts = await Promise.all(answers.map(async (answer) => JSON.parse(await answer.text()).error.json.message));
  expect(texts).toEqual([
    'El servicio no está disponible ahora mismo. Inténtalo de nuevo en 10 segundos.',
    'The service is unavailable right now. Try again in 10 seconds.',
  ]);
});
