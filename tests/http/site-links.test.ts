import { expect, test } from 'vitest';
import { API_DOCS_PATH } from '~/server/base/public-paths';
import { contentPicturesDoor } from '~/server/doors/files/content-pictures';
import { siteMapsDoor } from '~/server/doors/site-maps';
import { v1Door } from '~/server/doors/v1/door';
import { createAnswerCache } from '~/server/rest/answer-cache';
import { OWN_CONTENT, openContent } from '~/server/runtime/content-folders';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime: base, env } = await cast();
/** When all of our posts have been published. */
const now = () => new Date('2027-06-01T00:00:00Z');
const runtime = { ...base, now, content: openContent({ folders: [OWN_CONTENT], log: base.log }) };
const app = pagesApp(runtime, env.urls, {
  doors: [
    siteMapsDoor(runtime),
    contentPicturesDoor(runtime),
    v1Door(
      runtime,
      createAnswerCache(() => false),
    ),
  ],
});
const APP = env.urls.appUrl;

type Answer = { status: number; location: string | null; html: string };
const answers = new Map<string, Answer>();
async function read(url: string): Promise<Answer> {
  const known = answers.get(url);
  if (known) return known;
  const response = await app.request(url);
  const answer = {
    status: response.status,
    location: response.headers.get('location'),
    html: response.headers.get('content-type')?.startsWith('text/html') ? await response.text() : '',
  };
  answers.set(url, answer);
  return answer;
}

/** The last answer, and where it came from. */
async function follow(url: string, steps = 5): Promise<Answer> {
  const answer = await read(url);
  if (!answer.location || steps === 0) return answer;
  return follow(new URL(answer.location, url).href.replace(/#.*/, ''), steps - 1);
}

const decoded = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#x27;', "'").replaceAll('&quot;', '"');
/** Addresses of links, pictures and forms. Scripts and styles are files of the build, which tests don't serve. */
const linksOf = (html: string) =>
  [...html.matchAll(/<(?:a|img|form|area|source)\b[^>]*? (?:href|src|srcset|action)="([^"]*)"/gi)].map(([, to]) =>
    decoded(to!.split(/\s/)[0]!),
  );
const hasAnchor = (html: string, id: string) => html.includes(` id="${id}"`);

const listed = [...(await (await app.request(`${APP}/sitemap-site-1.xml`)).text()).matchAll(/<loc>(.*?)<\/loc>/g)].map(
  ([, page]) => page!,
);

/** Kinds of schema.org by which a page says what it is. */
const described = (html: string): string[] => {
  const json = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(html)?.[1] ?? '{}';
  return (JSON.parse(json)['@graph'] ?? []).map((each: { '@type': string }) => each['@type']);
};

test('every page of the sitemap tells search engines its place in the site, and the home page what Altavoz is', async () => {
  const homes = [`${APP}/en`, `${APP}/es`];
  const kinds = await Promise.all(listed.map(async (page) => ({ page, kinds: described((await read(page)).html) })));

  expect(kinds.filter((each) => homes.includes(each.page)).map((each) => each.kinds)).toEqual(
    homes.map(() => ['Organization', 'SoftwareApplication']),
  );
  const others = kinds.filter(({ page }) => !homes.includes(page) && !page.includes(API_DOCS_PATH));
  expect(others.filter((each) => each.kinds[0] !== 'BreadcrumbList')).toEqual([]);
});

test('every link between pages of the site leads somewhere, also to the part that it names', async () => {
  const broken: string[] = [];

  for (const page of listed) {
    const { html } = await read(page);
    for (const to of new Set(linksOf(html))) {
      const { origin, href, hash } = new URL(to, page);
      if (origin !== APP || /^\/(?:assets|fonts|media)\//.test(new URL(href).pathname)) continue;
      const target = href.replace(/#.*/, '');
      const found = target === page ? { status: 200, html } : await follow(target);
      const isThere = found.status === 200 || found.status === 405;
      const hasPart = hash === '' || hasAnchor(found.html, decodeURIComponent(hash.slice(1)));
      if (!isThere || !hasPart) broken.push(`${page} → ${to} (${isThere ? 'no such part' : found.status})`);
    }
  }

  expect(listed.length).toBeGreaterThan(100);
  expect(broken).toEqual([]);
});

test('every page of the site ends with the links to all others', async () => {
  // the documentation of the API has a navigation of its own
  const pages = listed.filter((page) => !page.includes(API_DOCS_PATH));
  const unlisted = ['/en/feed-preview', '/en/feed-preview/unknown', '/en/report', '/en/webinars'].map(
    (path) => APP + path,
  );
  const without: string[] = [];

  for (const page of [...pages, ...unlisted]) {
    const { html } = await read(page);
    const to = new Set(linksOf(html));
    if (!html.includes('class="site-map"') || ![...to].some((each) => /\/(?:features|funcionalidades)$/.test(each)))
      without.push(page);
  }

  expect(without).toEqual([]);
});

test.each([
  ['en', '/en/help'],
  ['es', '/es/ayuda'],
])('the page of help and contact leads to the help before its form (%s)', async (language, help) => {
  const { html } = await read(`${APP}/${language}/contact`);

  expect(html.slice(html.indexOf('<main'), html.indexOf('<form method="post"'))).toContain(`href="${help}"`);
});

test('a link to a missing page or part would be found', async () => {
  expect((await follow(`${APP}/en/blog/unknown`)).status).toBe(404);
  const { html } = await follow(`${APP}/en/features`);
  expect([hasAnchor(html, 'publish'), hasAnchor(html, 'unknown')]).toEqual([true, false]);
  expect(linksOf(html)).toContain('/content-pictures/money-en-dark.webp');
});

test.each([
  ['en', 'Demo data'],
  ['es', 'Datos de demostración'],
])('the home page shows the studio as a phone has it, and says whose data it is (%s)', async (language, note) => {
  const { html } = await read(`${APP}/${language}`);
  const figure = /<figure class="home-screen">.*?<\/figure>/s.exec(html)![0];

  expect(linksOf(figure)).toEqual(
    ['-phone-dark', '-phone', '-dark', ''].map((suffix) => `/content-pictures/statistics-${language}${suffix}.webp`),
  );
  expect(figure).toContain(`<figcaption>${note}</figcaption>`);
});
