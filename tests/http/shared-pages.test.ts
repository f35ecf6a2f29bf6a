import http from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { startWeb } from '~/server/web';
import { APP_HOST } from '../support/attacked-server';
import { cast } from '../support/cast';
import { pagesBuild } from '../support/pages-build';

const { runtime, env, url: directUrl, inbox, stripeSandbox, make } = await cast({ empty: true });
const opened = {
  runtime,
  jobsRuntime: runtime,
  directUrl,
  inbox,
  stripeSandbox,
  identitySandbox: null,
  spotifySandbox: null,
  dnsZone: null,
};
const options = { development: false, build: pagesBuild() };
const settings = { ...env, port: 0, host: '127.0.0.1' };
const web = await startWeb(settings, { ...opened, close: async () => {} }, options);
afterAll(() => web.close());

const lucia = await make.creator({ domain: 'lucia' });
const show = await make.product(lucia, { slug: 'ruido', name: 'Ruido', language: 'fr' });
const [episode] = await make.episodes(show, 2);
const LUCIA = `staging-lucia.${APP_HOST}`;

/** fetch cannot set the Host header, so this uses node:http. */
function read(path: string, headers: http.OutgoingHttpHeaders, host = LUCIA) {
  return new Promise<{ status: number; headers: http.IncomingHttpHeaders; html: string }>((resolve, reject) => {
    http
      .get({ port: web.port, host: '127.0.0.1', path, headers: { host, ...headers } }, async (res) => {
        resolve({ status: res.statusCode ?? 0, headers: res.headers, html: await text(res) });
      })
      .on('error', reject);
  });
}

const TRACES = /Ana Secreta|ana\.secreta/;
const mainOf = (html: string) => /<main.*<\/main>/s.exec(html)?.[0];

test('visitors with two languages and a logged-in one read a page, each in their language and without traces of another', async () => {
  const ana = await make.person({ name: 'Ana Secreta', email: 'ana.secreta@mail.example' });
  const session = `token=${ana.token}`;
  const path = '/p/ruido';

  const loggedIn = await read(path, { 'accept-language': 'en', cookie: session });
  const english = await read(path, { 'accept-language': 'en' });
  const spanish = await read(path, { 'accept-language': 'es' });
  const chosen = await read(path, { 'accept-language': 'en', cookie: `${session}; language=es` });
  const again = await read(path, { 'accept-language': 'en' });
  const crossed = await read(path, { 'accept-language': 'es', 'if-none-match': english.headers.etag });
  const unchanged = await read(path, { 'accept-language': 'es', 'if-none-match': spanish.headers.etag });

  expect([english, spanish, loggedIn, chosen].map(({ html }) => /<html lang="(\w+)"/.exec(html)?.[1])).toEqual([
    'en',
    'es',
    'en',
    'es',
  ]);
  for (const { status, headers, html } of [english, spanish, loggedIn, chosen, again]) {
    expect([status, headers['set-cookie'], headers['x-cache-tags']]).toEqual([200, undefined, undefined]);
    expect(mainOf(html)).not.toMatch(TRACES);
  }
  for (const { headers, html } of [english, spanish, again]) {
    expect(html).not.toMatch(TRACES);
    // caches revalidate each time, and a request with the ETag of another language gets the whole page
    expect(headers['cache-control']).toBe('public, no-cache');
    // there is nothing to hide from a window of another site
    expect(headers['cross-origin-opener-policy']).toBeUndefined();
  }
  for (const { headers } of [loggedIn, chosen]) {
    expect(headers['cache-control']).toMatch(/private|no-store/);
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  }
  // logged-in users get their own form to follow the show, on a page that no cache keeps
  const oneClick = 'name="intent" value="follow"';
  expect([loggedIn, english, again].map(({ html }) => html.includes(oneClick))).toEqual([true, false, false]);
  expect([crossed.status, crossed.headers.etag]).toEqual([200, spanish.headers.etag]);
  expect([again.headers.etag, unchanged.status]).toEqual([english.headers.etag, 304]);
  expect(spanish.headers.etag).not.toBe(english.headers.etag);
});

test('a player in frames is one page for all visitors, and a change of the show reaches it', async () => {
  const path = `/en/embed/${episode!.id}`;
  const [visitor, owner] = [
    await read(path, {}, APP_HOST),
    await read(path, { cookie: `token=${lucia.token}` }, APP_HOST),
  ];
  expect([owner.status, owner.headers.etag]).toEqual([200, visitor.headers.etag]);
  expect(visitor.html).toContain('Ruido');

  await lucia.api.products.update({ id: show.id, kind: 'podcast', name: 'Silencio' });

  await expect.poll(async () => (await read(path, {}, APP_HOST)).html).toContain('Silencio');
  const renamed = await read(path, { 'if-none-match': visitor.headers.etag }, APP_HOST);
  expect([renamed.status, renamed.headers['x-frame-options']]).toEqual([200, undefined]);
});
