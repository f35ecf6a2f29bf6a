import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { lookupSitePicture, sitePicturePath } from '~/server/domain/pages/site-picture';
import { sitePicturesDoor } from '~/server/doors/files/site-pictures';
import { siteMapsDoor } from '~/server/doors/site-maps';
import { OWN_CONTENT, openContent } from '~/server/runtime/content-folders';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import { isDeep } from '../support/deep';
import { pagesApp } from '../support/pages-app';

const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-site-pictures-'));
afterAll(() => fs.rm(folder, { recursive: true, force: true }));
await fs.mkdir(`${folder}/en/posts`, { recursive: true });
const FRONT = 'description: a\ndate: 2026-01-01\ntags: [a]';
const TITLES = {
  long: 'Palabra '.repeat(14).trim(),
  word: 'ñ'.repeat(120),
  markup: '<span foreground=\\"red\\">&#0;</span>'.repeat(3),
  emoji: '🎧 '.repeat(50).trim(),
  script: '日本語の番組',
};
for (const [slug, title] of Object.entries(TITLES))
  await fs.writeFile(`${folder}/en/posts/${slug}.md`, `---\ntitle: "${title}"\n${FRONT}\n---\n\nText.\n`);

const { runtime: base, env } = await cast();
/** When all of our posts have been published. */
const now = () => new Date('2027-06-01T00:00:00Z');
const runtime = { ...base, now, content: openContent({ folders: [OWN_CONTENT, folder], log: base.log }) };
const app = pagesApp(runtime, env.urls, { doors: [siteMapsDoor(runtime), sitePicturesDoor(runtime)] });
const APP = env.urls.appUrl;
const ctx = systemCtx(runtime, 'test');

const read = async (url: string) => {
  const response = await app.request(url);
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
};
const metaOf = (html: string, name: string) =>
  new RegExp(`(?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1] ?? null;
const pictureOf = async (url: string) => metaOf(String((await read(url)).body), 'og:image')!;

/** Everyday runs draw one of so many pictures, and the addresses of all others are compared. */
const DRAWN = isDeep ? 1 : 9;

test('every page of the site has a wide picture of its own, with words that replace it', async () => {
  const listed = [...String((await read(`${APP}/sitemap-site-1.xml`)).body).matchAll(/<loc>(.*?)<\/loc>/g)];
  const pages = [
    // the documentation of the API has no pictures
    ...listed.map(([, url]) => url!).filter((url) => !url.includes('/developers')),
    `${APP}/es/webinars`,
    `${APP}/en/blog/tag/a`,
  ];
  const pictures = new Set<string>();

  for (const url of pages) {
    const html = String((await read(url)).body);
    const picture = metaOf(html, 'og:image');
    expect([url, picture]).toEqual([url, expect.stringContaining(`${APP}/share/site/`)]);
    expect([url, metaOf(html, 'og:image:alt')]).toEqual([url, expect.stringMatching(/: .+/)]);
    expect([url, metaOf(html, 'twitter:card')]).toEqual([url, 'summary_large_image']);
    const { pathname } = new URL(picture!);
    const path = pathname.slice('/share/site'.length, pathname.lastIndexOf('/'));
    expect(pathname).toBe(sitePicturePath(path, (await lookupSitePicture(ctx, path))!));
    pictures.add(picture!);
  }
  for (const picture of [...pictures].filter((_, i) => i % DRAWN === 0)) {
    const { status, headers, body } = await read(picture);
    expect([picture, status, headers.get('content-type')]).toEqual([picture, 200, 'image/png']);
    expect(await sharp(body).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
  }

  expect(listed.length).toBeGreaterThan(100);
  // the page of a tag has the one of the blog
  expect(pictures.size).toBe(pages.length - 1);
});

test('the picture is kept for ever, and a former address leads to the present one', async () => {
  const picture = await pictureOf(`${APP}/es/blog`);

  expect((await read(picture)).headers.get('cache-control')).toContain('immutable');
  const former = await read(picture.replace(/[0-9a-f]{16}/, '0123456789abcdef'));
  expect([former.status, `${APP}${former.headers.get('location')}`]).toEqual([302, picture]);
  expect(former.headers.get('cache-control')).toBe('no-store');
});

test.each(Object.keys(TITLES))('any title can be drawn: %s', async (slug) => {
  expect((await read(await pictureOf(`${APP}/en/blog/${slug}`))).status).toBe(200);
});

test.each([
  '/share/site/en/blog/unknown/0123456789abcdef.png',
  '/share/site/fr/0123456789abcdef.png',
  '/share/site/0123456789abcdef.png',
  '/share/site/en/blog/..%2f..%2flogin/0123456789abcdef.png',
  `/share/site/en/${'a'.repeat(2000)}/0123456789abcdef.png`,
  '/share/site/en/blog/short.png',
  '/share/site/en/login/0123456789abcdef.png',
])('%s is no picture of ours', async (url) => {
  expect((await read(APP + url)).status).toBe(404);
});

test('crowds are sent to the logo instead of waiting', async () => {
  const listed = [...String((await read(`${APP}/sitemap-site-1.xml`)).body).matchAll(/<loc>(.*?\/help\/.*?)<\/loc>/g)];
  const pictures = await Promise.all(listed.map(([, url]) => pictureOf(url!)));
  const fresh = pagesApp(runtime, env.urls, { doors: [sitePicturesDoor(runtime)] });

  const answers = await Promise.all(pictures.map((picture) => fresh.request(picture)));
  const statuses = answers.map(({ status }) => status);

  expect(new Set(statuses)).toEqual(new Set([200, 302]));
  expect(answers.find(({ status }) => status === 302)?.headers.get('location')).toBe('/icon-512.png');
});
