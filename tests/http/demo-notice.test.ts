import { beforeEach, expect, test } from 'vitest';
import textsEn from '~/locales/en/common.json';
import textsEs from '~/locales/es/common.json';
import { toRendered } from '~/server/http/caches/shared-response';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, lucia, podcast } = await cast({ settings: { CREATOR_URLS: 'path' } });
let isPreparing = true;
const app = pagesApp(runtime, env.urls, { preparesDemo: () => isPreparing });
const NOTICE = { en: textsEn['notice.demo'], es: textsEs['notice.demo'] };
const token = `token=${lucia.token}; podcaster=${lucia.creatorId}`;

beforeEach(() => {
  isPreparing = true;
});

async function open(path: string, isStudio = false) {
  const headers = { 'user-agent': 'Test/1.0', ...(isStudio && { cookie: token }) };
  const response = await app.request(env.urls.appUrl + path, { headers });
  const { status } = response;
  const cacheControl = response.headers.get('cache-control');
  const { tags, body } = await toRendered(response);
  return { status, cacheControl, tags, notices: body.toString().match(/<section class="preparing"[^>]*>[^<]*/g) };
}

/** Path, status, and whether the page belongs to the studio. */
const PAGES: [string, number, boolean][] = [
  ['', 200, false],
  ['/login', 200, false],
  ['/@lucia', 200, false],
  [`/@lucia/p/${podcast.slug}`, 200, false],
  ['/@nobody-yet', 404, false],
  ['/dashboard', 200, true],
];

for (const [language, label] of [
  ['en', 'Notice'],
  ['es', 'Aviso'],
] as const)
  test.each(PAGES)(
    `/${language}%s says that the demo is being prepared, and is not cached`,
    async (path, status, studio) => {
      const page = await open(`/${language}${path}`, studio);

      const notices = [`<section class="preparing" data-needs-app="now" aria-label="${label}">${NOTICE[language]}`];
      expect(page).toEqual({ status, cacheControl: 'no-store', tags: [], notices });
    },
  );

test('once the demo is complete, the same page is without the notice, and cached', async () => {
  await open('/en/@lucia');
  isPreparing = false;

  const page = await open('/en/@lucia');

  expect(page.notices).toBeNull();
  expect(page.tags).not.toEqual([]);
});
