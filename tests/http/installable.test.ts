import { expect, test } from 'vitest';
import { UNCHECKED_DAYS } from '~/app/service-worker/stored';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, lucia } = await cast({ settings: { CREATOR_URLS: 'path' } });
const APP = env.urls.appUrl;
const app = pagesApp(runtime, env.urls);
const switchedOff = pagesApp({ ...runtime, settings: { ...runtime.settings, servesWorker: false } }, env.urls);
const session = { cookie: `token=${lucia.token}; podcaster=${lucia.creatorId}` };

test('the service worker is a script of this host for all of its pages, and may request nothing of others', async () => {
  const { status, headers } = await app.request(`${APP}/sw.js`);

  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  // a release, or the switch below, must reach browsers at their next visit
  expect(headers.get('cache-control')).toBe('no-cache');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'");
});

test('a switched-off service worker deletes what it has stored, and itself', async () => {
  const [worker, removal] = await Promise.all(
    [app, switchedOff].map(async (one) => (await one.request(`${APP}/sw.js`)).text()),
  );

  expect(worker).toContain('respondWith');
  expect(removal).not.toContain('respondWith');
  expect(removal).toMatch(/caches\.delete\(.*unregister\(\)/s);
});

test.each([
  ['/en', 'Altavoz: podcasts and audio series', '/en'],
  ['/es', 'Altavoz: pódcasts y series de audio', '/es'],
])('the manifest of %s has its name, its start page and icons that exist', async (prefix, name, start) => {
  const response = await app.request(`${APP}${prefix}/manifest.webmanifest`);

  const manifest = await response.json();
  expect(response.headers.get('content-type')).toBe('application/manifest+json');
  expect(manifest).toMatchObject({ name, start_url: start, scope: '/', display: 'standalone', lang: prefix.slice(1) });
  const purposes = manifest.icons.map(({ purpose = 'any' }: { purpose?: string }) => purpose);
  expect(new Set(purposes)).toEqual(new Set(['any', 'maskable']));
});

test("only the app's own pages name the manifest", async () => {
  const pageOf = async (path: string) => (await app.request(`${APP}${path}`)).text();

  expect(await pageOf('/es')).toContain('<link rel="manifest" href="/es/manifest.webmanifest"/>');
});

test('the page of saved episodes is the same for all visitors but for the header, and no search engine lists it', async () => {
  const response = await app.request(`${APP}/en/saved`, { headers: session });

  const html = await response.text();
  expect(html).toContain('data-needs-app="now"');
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(UNCHECKED_DAYS).toBe(30);
});
