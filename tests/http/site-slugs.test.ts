import { expect, test } from 'vitest';
import { LANGUAGES } from '~/locales/languages';
import { SITE_SLUGS } from '~/locales/site-slugs';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env } = await cast();
const app = pagesApp(runtime, env.urls);
const APP = env.urls.appUrl;
const read = async (path: string) => {
  const response = await app.request(APP + path);
  const location = response.headers.get('location');
  return { status: response.status, location, text: await response.text() };
};

const rows = LANGUAGES.flatMap((language) =>
  Object.entries(SITE_SLUGS).flatMap(([page, slugs]) =>
    [...new Set(Object.values(slugs))].map((asked) => ({ page, language, asked, own: slugs[language] })),
  ),
);

test.each(rows)('$page in $language: $asked is $own', async ({ language, asked, own }) => {
  const { status, location } = await read(`/${language}/${asked}?a=1&b=%C3%B1`);

  expect([status, location]).toEqual(asked === own ? [200, null] : [301, `/${language}/${own}?a=1&b=%C3%B1`]);
  expect((await read(`/${asked}`)).status).toBe(200);
});

test('the rest of the path follows a corrected slug, also in a route change', async () => {
  const article = await read('/es/help/unknown?q=1');
  const change = await read('/es/pricing.data?period=year');

  expect([article.status, article.location]).toEqual([301, '/es/ayuda/unknown?q=1']);
  expect(change.status).toBe(202);
  expect(change.text).toContain('/es/precios?period=year');
});

test('a page without a language in its address names the addresses of its languages', async () => {
  for (const path of ['/pricing', '/precios']) {
    const { status, text } = await read(path);

    expect(status).toBe(200);
    expect(text).toMatch(new RegExp(`<link[^>]*rel="canonical"[^>]*href="${APP}/(?:en/pricing|pricing)"`));
    expect(text).toMatch(new RegExp(`<link[^>]*hreflang="es"[^>]*href="${APP}/es/precios"`, 'i'));
  }
});
