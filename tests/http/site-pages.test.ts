import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { siteMapsDoor } from '~/server/doors/site-maps';
import { v1Door } from '~/server/doors/v1/door';
import { createAnswerCache } from '~/server/rest/answer-cache';
import { OWN_CONTENT, openContent } from '~/server/runtime/content-folders';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-pages-'));
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

async function write(name: string, front: string, body = 'Text.') {
  const file = path.join(folder, name);
  await fs.mkdir(path.dirname(file), { recursive: true });
  await fs.writeFile(file, `---\n${front}\n---\n\n${body}\n`);
}

const HOSTILE = '"]]></title><script>alert(1)</script>';
await write('en/questions/hostile.md', `title: '${HOSTILE}'\ndescription: a\ntopic: '${HOSTILE}'`, HOSTILE);
await write('en/webinars/past.md', 'title: Past\ndescription: a\ndate: 2026-03-01\nminutes: 30\nto: https://a.example');
await write(
  'en/webinars/next.md',
  'title: Next\ndescription: a\ndate: 2026-03-02\nminutes: 1\nto: /resources/show-notes',
);
await write(
  'en/webinars/later.md',
  'title: Later\ndescription: a\ndate: 2026-04-01\nminutes: 30\nto: https://a.example',
);

const { runtime: base, env, podcast, lucia, tom } = await cast();
await write(
  'en/stories/lucia.md',
  `title: Theirs\ndescription: a\nisExample: false\norder: 1\nshow: /@lucia/p/${podcast.slug}`,
);
const withContent = (...folders: string[]) => ({ ...base, content: openContent({ folders, log: base.log }) });
const runtime = withContent(OWN_CONTENT);
const documentation = v1Door(
  runtime,
  createAnswerCache(() => false),
);
const app = pagesApp(runtime, env.urls, { doors: [siteMapsDoor(runtime), documentation] });
const theirs = pagesApp(withContent(OWN_CONTENT, folder), env.urls);
const APP = env.urls.appUrl;

async function read(url: string, { language = 'en', on = app, token = '' } = {}) {
  const headers: Record<string, string> = { 'accept-language': language };
  if (token) headers.cookie = `token=${token}`;
  const response = await on.request(`${APP}${url}`, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const described = (html: string): { '@type': string }[] =>
  JSON.parse(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(html)![1]!)['@graph'];

test.each([
  ['features', 'features', 'funcionalidades', ['BreadcrumbList', 'SoftwareApplication']],
  ['hosting', 'podcast-hosting', 'hosting-podcast', ['BreadcrumbList', 'SoftwareApplication']],
  ['resources', 'resources', 'recursos', ['BreadcrumbList']],
  ['faq', 'faq', 'preguntas-frecuentes', ['BreadcrumbList', 'FAQPage']],
  ['team', 'team', 'equipo', ['BreadcrumbList']],
  ['stories', 'creator-stories', 'creator-stories', ['BreadcrumbList']],
  ['manifesto', 'manifesto', 'manifesto', ['BreadcrumbList']],
  ['paid shows', 'go-paid', 'go-paid', ['BreadcrumbList']],
  ['a guide', 'resources/price-your-show', 'recursos/poner-precio', ['BreadcrumbList']],
])('the page of %s names its address in each language, and says what it is', async (_, english, spanish, kinds) => {
  const site = await read('/sitemap-site-1.xml');
  for (const [language, slug] of [['en', english] as const, ['es', spanish] as const]) {
    const { status, headers, text } = await read(`/${language}/${slug}`);

    expect([status, headers.get('x-cache-tags')]).toEqual([200, 'content']);
    expect(text).toContain(`<html lang="${language}"`);
    expect(text).toContain(`rel="canonical" href="${APP}/${language}/${slug}"`);
    expect(text).toContain(`hrefLang="en" href="${APP}/en/${english}"`);
    expect(text).toContain(`hrefLang="es" href="${APP}/es/${spanish}"`);
    expect(described(text).map((each) => each['@type'])).toEqual(kinds);
    expect(text.match(/<h1/g)).toHaveLength(1);
    expect(site.text.split(`<loc>${APP}/${language}/${slug}</loc>`)).toHaveLength(2);
  }
});

test('every link of the footer leads to a page of its language', async () => {
  const { text } = await read('/es/manifesto');
  const links = [
    ...text
      .split('class="site-map"')[1]!
      .split('</nav>')[0]!
      .matchAll(/href="([^"]*)"/g),
  ];

  expect(links.length).toBeGreaterThan(10);
  for (const [, link] of links) {
    const to = new URL(link!, APP).pathname;
    const { status, text: page } = await read(to);
    expect([to, status]).toEqual([expect.stringMatching(/^\/es\//), 200]);
    expect(page).toContain(`rel="canonical" href="${APP}${to}"`);
  }
});

test.each([
  ['/pages/manifesto', '/manifesto'],
  ['/es/pages/hosting', '/es/hosting-podcast'],
  ['/es/features', '/es/funcionalidades'],
  ['/en/equipo', '/en/team'],
  ['/es/resources', '/es/recursos'],
  ['/es/resources/poner-precio', '/es/recursos/poner-precio'],
  ['/es/recursos/price-your-show', '/es/recursos/poner-precio'],
  ['/resources/poner-precio', '/resources/price-your-show'],
])('%s redirects to %s', async (url, to) => {
  const { status, headers } = await read(url);

  expect([status, headers.get('location')]).toEqual([301, to]);
});

test.each([
  '/en/resources/unknown',
  '/en/resources/%00',
  `/en/resources/${'a'.repeat(300)}`,
  '/en/podcast/..%2fadmin',
  `/en/podcast/${'a'.repeat(101)}`,
])('%s answers 404', async (url) => {
  expect((await read(url)).status).toBe(404);
});

test('stories of the demo say that they are examples, and shows that do not exist here are left out', async () => {
  const [ours, operators] = [await read('/en/creator-stories'), await read('/en/creator-stories', { on: theirs })];

  expect(ours.text.match(/class="example-mark"/g)).toHaveLength(3);
  expect(ours.text).not.toContain('class="story-show"');
  expect(operators.text.match(/class="example-mark"/g)).toHaveLength(2);
  expect(operators.text).toMatch(new RegExp(`href="[^"]*/p/${podcast.slug}"[^>]* class="story-show"`));
});

test('paid shows are explained to visitors and listeners, and people who use the studio choose a plan', async () => {
  const { token } = lucia;

  const [visitor, listener, creator] = await Promise.all([
    read('/es/go-paid'),
    read('/es/go-paid', { token: tom.token }),
    read('/es/go-paid', { token }),
  ]);

  expect([visitor.status, listener.status]).toEqual([200, 200]);
  expect([creator.status, creator.headers.get('location')]).toEqual([302, '/es/go-paid/plans']);
  expect((await read('/es/go-paid/plans', { token })).status).toBe(200);
});

test('the page of the team names the operator, and says what is not set', async () => {
  const { text } = await read('/en/team');
  const facts = [...text.matchAll(/<dt>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/g)].map(([, name, value]) => [name, value]);

  const { name, email } = runtime.settings.operator;
  expect(facts).toContainEqual(['Operator', name]);
  expect(facts).toContainEqual(['Address', 'Not given']);
  expect(text).toContain(`href="mailto:${email}"`);
});

test('without webinars, the page says so, and search engines do not list it', async () => {
  const { status, text } = await read('/es/webinars');

  expect(status).toBe(200);
  expect(text).toContain('no hay ningún webinar previsto');
  expect(text).toContain('name="robots" content="noindex"');
  expect((await read('/sitemap-site-1.xml')).text).not.toContain('/webinars');
});

test('the next webinars come first, then those of days before today', async () => {
  const { text } = await read('/en/webinars', { on: theirs });

  expect([...text.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title)).toEqual(['Next', 'Later', 'Past']);
  expect(text).toContain('href="/en/resources/show-notes"');
  expect(text).not.toContain('noindex');
});

test('questions that look like markup are text, on the page and for search engines', async () => {
  const { text } = await read('/en/faq', { on: theirs });

  expect(text).not.toContain('<script>alert(1)</script>');
  expect(text).toContain('&lt;script&gt;alert(1)');
  const [, faq] = described(text) as unknown as [unknown, { mainEntity: { name: string }[] }];
  expect(faq.mainEntity.map(({ name }) => name)).toContain(HOSTILE);
});

test.each([
  ['/podcast', '/discover'],
  ['/es/podcast', '/es/descubrir'],
  [`/podcast/${podcast.slug}`, base.urls.product('lucia', podcast.slug)],
  [`/es/podcast/${podcast.slug}`, base.urls.creator('lucia', `/p/${podcast.slug}`, 'es')],
  ['/podcast/no-such-show', '/discover?search=no+such+show'],
])('%s redirects to %s', async (url, to) => {
  const { status, headers } = await read(url);

  expect([status, headers.get('location')]).toEqual([302, to]);
});
