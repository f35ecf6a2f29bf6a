import { expect, test } from 'vitest';
import { putScriptsAside, startsAtOnce } from '~/app/lib/late-scripts.server';

test.each([
  [['root', 'any/p/:slug:public/podcast'], false],
  [['root', 'es/*:not-found'], false],
  [['root', 'en/login:auth/login'], true],
  [['root', 'any/index:dashboard/layout', 'any/index:dashboard/layout/profile:account/settings-layout'], true],
])('whether the page of %j is an app: %s', (routes, expected) => {
  expect(startsAtOnce(routes)).toBe(expected);
});

test('the scripts of a page are put aside, with the addresses of their code', () => {
  const page =
    '<main><div id="scripts" hidden="">of a creator</div></main><div id="scripts" hidden="">' +
    '<link rel="modulepreload" href="/a.js"/><link rel="modulepreload" href="/b.js"/>' +
    '<script nonce="n">window.__remixContext = {};</script>' +
    '<script nonce="n" type="module" async="">import "/a.js";</script></div></body></html>';

  const html = putScriptsAside(Buffer.from(page), 'n').toString();

  expect(html).toContain('<main><div id="scripts" hidden="">of a creator</div></main>');
  expect(html).toContain('<script nonce="n">window.__remixContext = {};</script>');
  expect(html).toContain('<script nonce="n" type="text/plain" data-later="/a.js /b.js">import "/a.js";</script>');
  expect(html).not.toContain('modulepreload');
  expect(html).toMatch(/<script type="speculationrules" nonce="n">\{"prefetch":/);
});

test('a page without scripts stays as it is', () => {
  const page = Buffer.from('<p>preview</p>');

  expect(putScriptsAside(page, 'n')).toBe(page);
});
