import { type AppLoadContext, createRequestHandler, type RequestHandler } from '@remix-run/node';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { announceRoutes } from '~/server/doors/pages/announce-routes';
import { routeSubsets } from '~/server/http/route-subset';
import { pagesBuild } from '../support/pages-build';

const pages = pagesBuild();
const build = { ...pages, future: { ...pages.future, v3_lazyRouteDiscovery: true } };
const subsetFor = routeSubsets(build);
const whole = createRequestHandler(build, 'production');
const handlers = new Map<unknown, RequestHandler>();
const announcing = announceRoutes(async (pathname) => {
  const subset = subsetFor(pathname);
  const handler = handlers.get(subset) ?? createRequestHandler(subset, 'production');
  handlers.set(subset, handler);
  return handler;
});

async function ask(handler: RequestHandler, paths: string[], version = build.assets.version) {
  const search = new URLSearchParams([...paths.map((path) => ['p', path]), ['version', version]]);
  const response = await handler(new Request(`http://altavoz.localhost/__manifest?${search}`), {} as AppLoadContext);
  const text = await response.text();
  const headers = [...response.headers].sort();
  return { status: response.status, headers, routes: text.startsWith('{') ? JSON.parse(text) : text };
}

const LINKS = ['/', '/es', '/login', '/es/login', 'p/lullabies', '/p/lullabies/1', '/es/p/ruido', '/products/3/edit'];

test('links are announced as by the whole build', async () => {
  const announced = await ask(announcing, LINKS);

  expect(announced).toEqual(await ask(whole, LINKS));
  expect(Object.keys(announced.routes).length).toBeGreaterThan(LINKS.length);
});

test.each([
  ['of an older build', LINKS, 'older'],
  ['without links', [], build.assets.version],
  ['with a URL that is too long', Array.from({ length: 900 }, (_, i) => `/p/show-${i}`), build.assets.version],
])('a request %s is answered as by the whole build', async (_, paths, version) => {
  expect(await ask(announcing, paths, version)).toEqual(await ask(whole, paths, version));
});

test('any links are announced as by the whole build', async () => {
  // the router warns about each malformed path
  vi.spyOn(console, 'warn').mockReturnValue();
  const segment = fc.constantFrom('', 'es', 'en', 'P', 'p', '@lucia', 'login', 'login.data', '%70', '%zz', 'edit', '7');
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => `/${segments.join('/')}`);
  await fc.assert(
    fc.asyncProperty(fc.array(path, { minLength: 1, maxLength: 4 }), async (paths) => {
      expect(await ask(announcing, paths)).toEqual(await ask(whole, paths));
    }),
    { numRuns: 30 },
  );
});

test('of a URL that is too long, no link is looked at', async () => {
  const handlerFor = vi.fn(async () => whole);
  const paths = Array.from({ length: 900 }, (_, i) => `/p/show-${i}`);

  await ask(announceRoutes(handlerFor), paths);

  expect(handlerFor.mock.calls).toEqual([['/']]);
});
