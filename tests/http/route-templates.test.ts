import { expect, test } from 'vitest';
import { pageTemplates } from '~/server/http/route-templates';
import { pagesBuild } from '../support/pages-build';

const find = pageTemplates(pagesBuild());

test.each([
  ['/', '/'],
  ['/_root.data', '/'],
  ['/es', '/'],
  ['/en/LOGIN', '/login'],
  ['/login.data', '/login'],
  ['/login/google', '/login/:provider'],
  ['/login/reset-password', '/login/reset-password'],
  ['/p/ruido/episodio-1', '/p/:slug/:episodeSlug'],
  ['/@lucia/p/ruido', '/:handle/p/:slug'],
  ['/preview/abc', '/preview/:token'],
  ['/es/@lucia/preview/abc', '/:handle/preview/:token'],
  ['/podcasts/7/episodes/edit/8', '/podcasts/:id/episodes/edit/:episodeId'],
  ['/podcasts/7/import-subscribers/8.csv', '/podcasts/:id/import-subscribers/:importId.csv'],
  ['/podcasts/7/import-subscribers/8', null],
  ['/a/b/c/d', null],
])('the template of %s is %s', (path, template) => {
  expect(find(path)).toBe(template);
});

test('the metrics have a bounded number of templates, and none with a language', () => {
  const paths = Array.from({ length: 2000 }, (_, i) => find(`/${'x/'.repeat(i % 9)}${i}`));

  expect(new Set(paths).size).toBeLessThan(10);
});
