import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { siteMapsDoor } from '~/server/doors/site-maps';
import { openContent } from '~/server/runtime/content-folders';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-help-'));
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

type Article = { title: string; audience?: string; order?: number; slug?: string; body?: string };

async function write(name: string, { title, audience = 'creators', order = 10, slug, body = 'Text.' }: Article) {
  const front = `title: '${title}'\ndescription: About ${title}\naudience: ${audience}\norder: ${order}`;
  const file = path.join(folder, name);
  await fs.mkdir(path.dirname(file), { recursive: true });
  await fs.writeFile(file, `---\n${front}${slug ? `\nslug: ${slug}` : ''}\n---\n\n${body}\n`);
}

const HOSTILE = '"]]></title><script>alert(1)</script>';
await write('en/help/publish.md', { title: 'Publish rain', order: 20, body: 'Microphones. [Next](/help/feed)' });
await write('es/help/publish.md', { title: 'Publicar la lluvia', order: 20, slug: 'publicar', body: 'Micrófonos.' });
await write('en/help/create.md', { title: HOSTILE, body: 'Waves.' });
await write('es/help/create.md', { title: HOSTILE, slug: 'crear', body: 'Olas.' });
await write('en/help/feed.md', { title: 'Add a feed', audience: 'listeners' });
await write('es/help/feed.md', { title: 'Añadir un feed', audience: 'listeners', slug: 'anadir-un-feed' });
await write('en/help/alone.md', { title: 'Only English', audience: 'operators' });

const { runtime: base, env } = await cast({ empty: true });
const runtime = { ...base, content: openContent({ folders: [folder], log: base.log }) };
const app = pagesApp(runtime, env.urls, { doors: [siteMapsDoor(runtime)] });
const elsewhere = { ...runtime, settings: { ...runtime.settings, helpUrl: 'https://help.example/start' } };
const appElsewhere = pagesApp(elsewhere, env.urls, { doors: [siteMapsDoor(elsewhere)] });
const APP = env.urls.appUrl;

async function read(url: string, on = app) {
  const response = await on.request(`${APP}${url}`, { headers: { 'accept-language': 'en' } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const main = (html: string) => /<main[^>]*>(.*)<\/main>/s.exec(html)![1]!;
const linked = (html: string) =>
  [...main(html).matchAll(/href="(\/(?:..\/)?(?:help|ayuda)\/[^"]*)"/g)].map((m) => m[1]);
const trailOf = (html: string) =>
  JSON.parse(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(html)![1]!)['@graph'][0].itemListElement;

test('help lists the articles of its language for each kind of reader, in their order', async () => {
  const [english, spanish] = await Promise.all(['/en/help', '/es/ayuda'].map((url) => read(url)));

  expect([english!.status, english!.headers.get('x-cache-tags')]).toEqual([200, 'content']);
  expect(linked(english!.text)).toEqual(['create', 'publish', 'feed', 'alone'].map((slug) => `/en/help/${slug}`));
  expect(linked(spanish!.text)).toEqual(['crear', 'publicar', 'anadir-un-feed'].map((slug) => `/es/ayuda/${slug}`));
  expect(english!.text).toContain(`rel="alternate" hrefLang="es" href="${APP}/es/ayuda"`);
  expect(english!.text).not.toContain('noindex');
});

test('an article names its place, its address in each language, and tasks of the same readers', async () => {
  const { status, text } = await read('/es/ayuda/publicar');

  expect(status).toBe(200);
  expect(text).toContain(`rel="canonical" href="${APP}/es/ayuda/publicar"`);
  expect(text).toContain(`rel="alternate" hrefLang="en" href="${APP}/en/help/publish"`);
  expect(trailOf(text).map(({ name, item }: Record<string, string>) => [name, item])).toEqual([
    ['Altavoz', `${APP}/es`],
    ['Ayuda', `${APP}/es/ayuda`],
    ['Publicar la lluvia', `${APP}/es/ayuda/publicar`],
  ]);
  expect(main(text)).toContain('href="/es/ayuda#creators"');
  expect(linked(text)).toEqual(['/es/ayuda/crear']);
});

test('links between articles lead to the language of the text', async () => {
  expect(linked((await read('/en/help/publish')).text)).toContain('/en/help/feed');
});

test.each([
  ['/es/ayuda/publish', '/es/ayuda/publicar'],
  ['/en/help/publicar', '/en/help/publish'],
  ['/help/publicar', '/help/publish'],
  ['/es/help/feed', '/es/ayuda/feed'],
  ['/es/ayuda/feed', '/es/ayuda/anadir-un-feed'],
])('%s redirects to %s', async (url, to) => {
  const { status, headers } = await read(url);

  expect([status, headers.get('location')]).toEqual([301, to]);
});

test('an article without a translation is shown in its own language', async () => {
  const { status, text } = await read('/es/ayuda/alone');

  expect(status).toBe(200);
  expect(text).toContain('<h1 lang="en">Only English');
  expect(text).toContain(`rel="canonical" href="${APP}/en/help/alone"`);
});

test.each([
  ['/en/help?search=microphone', ['/en/help/publish']],
  ['/es/ayuda?search=microfonos', ['/es/ayuda/publicar']],
  ['/en/help?search=lluvia', []],
  ['/en/help?search=microphone%00', ['/en/help/publish']],
  ['/en/help?search=%27%3B+drop+table+content_words--', []],
  ['/en/help?search=%20', ['create', 'publish', 'feed', 'alone'].map((slug) => `/en/help/${slug}`)],
])('%s finds %j', async (url, found) => {
  const { status, text } = await read(url);

  expect(status).toBe(200);
  expect(linked(text)).toEqual(found);
});

test('search engines do not list results', async () => {
  expect((await read('/en/help?search=rain')).text).toContain('name="robots" content="noindex"');
});

test('titles that look like markup are text', async () => {
  const pages = await Promise.all(['/en/help', '/en/help/create', '/en/help?search=waves'].map((url) => read(url)));

  for (const { text } of pages) expect(text).not.toContain('<script>alert(1)</script>');
  expect(trailOf(pages[1]!.text)[2].name).toBe(HOSTILE);
});

test.each(['/en/help/unknown', '/en/help/%00', `/en/help/${'a'.repeat(300)}`, '/en/help/publish/more'])(
  '%s answers 404',
  async (url) => {
    expect((await read(url)).status).toBe(404);
  },
);

test('the sitemap has the page and its articles', async () => {
  const { text } = await read('/sitemap-site-1.xml');

  for (const url of ['/en/help', '/es/ayuda', '/en/help/publish', '/es/ayuda/publicar'])
    expect(text).toContain(`<loc>${APP}${url}</loc>`);
});

test.each(['/en/help', '/es/ayuda/publicar', '/help/unknown'])(
  'with a help centre elsewhere, %s leads there',
  async (url) => {
    const { status, headers } = await read(url, appElsewhere);

    expect([status, headers.get('location')]).toEqual([302, 'https://help.example/start']);
  },
);

test('with a help centre elsewhere, neither the sitemap nor the palette has our articles', async () => {
  const sitemap = await read('/sitemap-site-1.xml', appElsewhere);
  const input = encodeURIComponent(JSON.stringify({ json: { audience: 'creators' } }));
  const [ours, theirs] = await Promise.all(
    [app, appElsewhere].map((on) => read(`/trpc/content.help?input=${input}`, on)),
  );

  expect(sitemap.text).not.toContain('/help/publish');
  expect(sitemap.text).not.toContain(`${APP}/en/help`);
  expect(JSON.parse(ours!.text).result.data.json.map(({ id }: { id: string }) => id)).toEqual(['create', 'publish']);
  expect(JSON.parse(theirs!.text).result.data.json).toEqual([]);
});
