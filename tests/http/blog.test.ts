import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { XMLParser } from 'fast-xml-parser';
import { afterAll, expect, test } from 'vitest';
import { contentWords } from '~/db/schema/content';
import { siteMapsDoor } from '~/server/doors/site-maps';
import { openContent } from '~/server/runtime/content-folders';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-blog-'));
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

async function write(name: string, front: string, body: string) {
  const file = path.join(folder, name);
  await fs.mkdir(path.dirname(file), { recursive: true });
  await fs.writeFile(file, `---\n${front}\n---\n\n${body}\n`);
}

const HOSTILE = `"]]></title><script>alert(1)</script>`;
const front = (title: string, more: string) =>
  `title: '${title}'\ndescription: About ${title}\ndate: 2026-01-05\n${more}`;
await write(
  'en/posts/rain.md',
  front('Recording rain', 'tags: [Sound]'),
  'Microphones and umbrellas. [Next](/blog/sea)',
);
await write(
  'es/posts/rain.md',
  front('Grabar la lluvia', 'slug: grabar-lluvia\ntags: [Sonido]'),
  'Micrófonos y paraguas.',
);
await write('en/posts/sea.md', front(HOSTILE, 'tags: [Sound, Water]'), 'Waves.');
await write('es/posts/sea.md', front(HOSTILE, 'tags: [Sonido, Agua]'), 'Olas.');
await write('en/posts/alone.md', front('Only English', 'tags: [Water]'), 'Alone.');
await write('en/posts/later.md', front('Later', 'tags: [Future]').replace('2026-01-05', '2026-03-03'), 'Later.');
await write('en/pages/about.md', 'title: About\ndescription: Who we are.', 'Us.');
await write('es/pages/about.md', 'title: Acerca\ndescription: Quiénes somos.\nslug: acerca', 'Nosotros.');

const { runtime: base, env } = await cast({ empty: true });
const runtime = { ...base, content: openContent({ folders: [folder], log: base.log }) };
const app = pagesApp(runtime, env.urls, { doors: [siteMapsDoor(runtime)] });
const APP = env.urls.appUrl;

async function read(url: string, language = 'en') {
  const response = await app.request(`${APP}${url}`, { headers: { 'accept-language': language } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const linked = (html: string) => [...html.matchAll(/<h2><a [^>]*href="([^"]*)"/g)].map(([, href]) => href);
const described = (html: string) =>
  JSON.parse(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(html)![1]!);

test('the blog lists the posts of its language, without those of later days', async () => {
  const [english, spanish] = await Promise.all(['/en/blog', '/es/blog'].map((url) => read(url)));

  expect([english!.status, english!.headers.get('x-cache-tags')]).toEqual([200, 'content']);
  expect(linked(english!.text)).toEqual(['/en/blog/alone', '/en/blog/rain', '/en/blog/sea']);
  expect(linked(spanish!.text)).toEqual(['/es/blog/grabar-lluvia', '/es/blog/sea']);
  expect(english!.text).toContain(
    `type="application/rss+xml" title="Altavoz: the blog" href="${APP}/en/blog/feed.xml"`,
  );
});

test('a post names its address in each language, and says what it is', async () => {
  const { status, text } = await read('/es/blog/grabar-lluvia');

  expect(status).toBe(200);
  expect(text).toContain(`rel="canonical" href="${APP}/es/blog/grabar-lluvia"`);
  expect(text).toContain(`rel="alternate" hrefLang="en" href="${APP}/en/blog/rain"`);
  expect(text).toContain('property="og:type" content="article"');
  const [trail, posting] = described(text)['@graph'];
  expect(trail.itemListElement.map(({ name }: { name: string }) => name)).toEqual([
    'Altavoz',
    'Blog',
    'Grabar la lluvia',
  ]);
  expect(posting).toMatchObject({ '@type': 'BlogPosting', headline: 'Grabar la lluvia', datePublished: '2026-01-05' });
  expect(linked(text)).toEqual([]);
  expect(text).toMatch(/<h3><a [^>]*href="\/es\/blog\/sea"/);
});

test.each([
  ['/en/blog/grabar-lluvia', '/en/blog/rain'],
  ['/es/blog/rain', '/es/blog/grabar-lluvia'],
  ['/blog/grabar-lluvia', '/blog/rain'],
  ['/es/pages/about', '/es/pages/acerca'],
])('%s redirects to %s', async (url, to) => {
  const { status, headers } = await read(url);

  expect([status, headers.get('location')]).toEqual([301, to]);
});

test('a post without a translation is shown in its own language, which is its canonical address', async () => {
  const { status, text } = await read('/es/blog/alone');

  expect(status).toBe(200);
  expect(text).toContain('<h1 lang="en">Only English');
  expect(text).toContain(`rel="canonical" href="${APP}/en/blog/alone"`);
  expect(text).not.toMatch(/hrefLang="es"/);
});

test('a topic has its name in each language: the one of another language leads to the posts', async () => {
  const spanish = await read('/es/blog/tag/sonido');
  const other = await read('/en/blog/tag/sonido');
  const unknown = await read('/en/blog/tag/silence');

  expect([spanish.status, unknown.status]).toEqual([200, 404]);
  expect(spanish.text).not.toMatch(/hrefLang="en"/);
  expect([other.status, other.headers.get('location')]).toEqual([302, '/en/blog']);
});

test('titles and texts that look like markup are text everywhere', async () => {
  const pages = await Promise.all(['/en/blog', '/en/blog/sea', '/en/blog/feed.xml'].map((url) => read(url)));

  for (const { status, text } of pages) {
    expect(status).toBe(200);
    expect(text).not.toContain('<script>alert(1)</script>');
  }
  expect(described(pages[1]!.text)['@graph'][1].headline).toBe(HOSTILE);
});

test.each([
  ['/en/blog?search=umbrella', ['/en/blog/rain']],
  ['/en/blog?search=recorded+RAIN', ['/en/blog/rain']],
  ['/es/blog?search=microfono', ['/es/blog/grabar-lluvia']],
  ['/en/blog?search=lluvia', []],
  ['/en/blog?search=later', []],
  ['/en/blog?search=umbrella%00', ['/en/blog/rain']],
  ['/en/blog?search=%27%3B+drop+table+content_words--', []],
  ['/en/blog?search=%3A*+%26+%21%28', []],
  ['/en/blog?search=%20', ['/en/blog/alone', '/en/blog/rain', '/en/blog/sea']],
])('%s finds %j', async (url, found) => {
  const { status, text } = await read(url);

  expect(status).toBe(200);
  expect(linked(text)).toEqual(found);
});

test('each text has its words once, and those that no process has any more are deleted', async () => {
  await base.db.execute(sql`insert into content_words values ('old', '', '2025-01-01'), ('recent', '', '2026-02-20')`);
  const again = { ...base, content: openContent({ folders: [folder], log: base.log }) };
  const other = pagesApp(again, env.urls);

  await Promise.all([other.request(`${APP}/en/blog?search=rain`), other.request(`${APP}/es/blog?search=olas`)]);

  const rows = await base.db.select({ hash: contentWords.hash }).from(contentWords).orderBy(contentWords.hash);
  expect(rows.filter(({ hash }) => hash.length < 64)).toEqual([{ hash: 'recent' }]);
  expect(rows).toHaveLength(9);
});

test.each([
  '/en/blog/tag/nothing',
  '/en/blog/tag/future',
  '/en/blog/later',
  '/en/blog/unknown',
  '/en/blog/..%2f..%2fetc',
  '/en/blog/%00',
  `/en/blog/${'a'.repeat(300)}`,
  '/en/pages/unknown',
])('%s answers 404', async (url) => {
  expect((await read(url)).status).toBe(404);
});

test('a tag lists its posts', async () => {
  const { status, text } = await read('/en/blog/tag/water');

  expect(status).toBe(200);
  expect(linked(text)).toEqual(['/en/blog/alone', '/en/blog/sea']);
  expect(text).toContain('Posts on “Water”');
});

test('the feed has the whole text with complete links', async () => {
  const { status, headers, text } = await read('/en/blog/feed.xml');
  const { channel } = new XMLParser({ ignoreAttributes: false }).parse(text).rss;

  expect([status, headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=utf-8']);
  expect(channel.item.map(({ link }: { link: string }) => link)).toEqual(
    ['alone', 'rain', 'sea'].map((slug) => `${APP}/en/blog/${slug}`),
  );
  expect(channel.item[1]['content:encoded']).toContain(`href="${APP}/en/blog/sea"`);
  expect(channel.item[1].pubDate).toBe('Mon, 05 Jan 2026 00:00:00 GMT');
});

test('the sitemap has the posts and pages in each language', async () => {
  const { text } = await read('/sitemap-site-1.xml');

  for (const url of ['/en/blog', '/en/blog/rain', '/es/blog/grabar-lluvia', '/en/pages/about', '/es/pages/acerca'])
    expect(text).toContain(`<loc>${APP}${url}</loc>`);
  expect(text).not.toContain('/blog/later');
});
