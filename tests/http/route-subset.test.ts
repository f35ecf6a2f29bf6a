import type { ServerBuild } from '@remix-run/node';
import { matchRoutes } from '@remix-run/react';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { LANGUAGES } from '~/locales/languages';
import { routeSubsets } from '~/server/http/route-subset';
import { pagesBuild } from '../support/pages-build';

const build = pagesBuild();
const subsetFor = routeSubsets(build);

type Tree = Parameters<typeof matchRoutes>[0];

/** The routes as Remix matches them. */
function tree({ routes }: ServerBuild, parentId = ''): Tree {
  return Object.values(routes)
    .filter((route) => (route.parentId ?? '') === parentId)
    .map(({ id, path, index }) =>
      index ? { id, path, index } : { id, path, children: tree({ routes } as ServerBuild, id) },
    );
}

const trees = new Map<ServerBuild, Tree>();
const known = new Map<string, (string | undefined)[]>();

function idsOf(of: ServerBuild, path: string): (string | undefined)[] {
  const routes = trees.get(of) ?? tree(of);
  trees.set(of, routes);
  return matchRoutes(routes, path)?.map(({ route }) => route.id) ?? [];
}

/** Ranking all routes takes most of the time, and paths share their parents. */
function idsOfWhole(path: string): (string | undefined)[] {
  const ids = known.get(path) ?? idsOf(build, path);
  known.set(path, ids);
  return ids;
}

/** The path and its parents, whose routes Remix lists in the page. */
const announced = (path: string) => path.split('/').map((_, i, segments) => segments.slice(0, i).join('/') || '/');

const PATHS = Object.values(build.routes)
  .filter(({ path, index }) => path !== undefined || index)
  .map(({ path = '' }) => `/${path.replaceAll(/:\w+/g, 'some-thing').replace('*', 'no/such/page')}`);

test.each([...new Set(PATHS)])(
  '%s is served by the same routes, and announces the same ones, as in the whole build',
  (path) => {
    const subset = subsetFor(path);

    for (const at of [path, ...announced(path)]) expect(idsOf(subset, at)).toEqual(idsOfWhole(at));
  },
);

const WORDS = new Set(PATHS.flatMap((path) => path.split('/')));
const ODD = ['', '%70', '%zz', 'P', 'EN', '@lucia', '%40lucia', '.', '_root', 'ñ', '%2F', ...LANGUAGES];

test('any path is served by the same routes as in the whole build', () => {
  // the router warns about each malformed path
  vi.spyOn(console, 'warn').mockReturnValue();
  const segment = fc.constantFrom(...WORDS, ...ODD);
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 6 }), (segments) => {
      const path = `/${segments.join('/')}`;
      expect(idsOf(subsetFor(path), path)).toEqual(idsOfWhole(path));
    }),
    { numRuns: 400 },
  );
});

test('data requests use the routes of their page', () => {
  expect(subsetFor('/login.data')).toBe(subsetFor('/login'));
  expect(subsetFor('/_root.data')).toBe(subsetFor('/'));
  expect(subsetFor('/es/p/ruido.data')).toBe(subsetFor('/es/p/ruido'));
});

test('a public page matches few routes, and unknown paths share them', () => {
  expect(Object.keys(subsetFor('/es/p/ruido').routes).length).toBeLessThan(18);
  expect(subsetFor('/unknown')).toBe(subsetFor('/%40lucia/p/ruido'));
});
