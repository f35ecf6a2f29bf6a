import { expect, test } from 'vitest';
import { PAGE_LIMITS } from '~/server/limits/paging';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, lucia, tom, podcast } = await cast({ settings: { CREATOR_URLS: 'path' } });
const app = pagesApp(runtime, env.urls);

const ROOM = PAGE_LIMITS.searchLength;
const KEPT = 'a'.repeat(ROOM);
const LONG = encodeURIComponent('a'.repeat(150));

test.each([
  ['/en/blog?search=', null],
  ['/es/blog?search=', null],
  ['/en/help?search=', null],
  ['/es/ayuda?search=', null],
  ['/en/discover?search=', null],
  ['/es/descubrir?search=', null],
  ['/en/@lucia?q=', null],
  ['/products?search=', lucia],
  [`/podcasts/${podcast.id}/episodes?search=`, lucia],
])('%s searches for the first characters of a long text, which stay in the field', async (address, person) => {
  const { status, html } = await read(address + LONG, person);

  expect(status).toBe(200);
  expect(html).toContain(`value="${KEPT}"`);
});

test.each([
  ['/feed?search=', tom],
  ['/audience?search=', lucia],
  ['/coupons?search=', lucia],
  ['/audio-insertion?search=', lucia],
])('%s answers a long text with a page, too', async (address, person) => {
  expect((await read(address + LONG, person)).status).toBe(200);
});

test('a character is not cut in two', async () => {
  const { status, html } = await read(`/en/discover?search=${'a'.repeat(ROOM - 1)}%F0%9F%8E%A7`, null);

  expect(status).toBe(200);
  expect(html).toContain(`value="${'a'.repeat(ROOM - 1)}"`);
});

async function read(path: string, person: { token: string } | null) {
  const headers = { cookie: person ? `token=${person.token}` : '' };
  const response = await app.request(env.urls.appUrl + path, { headers });
  return { status: response.status, html: await response.text() };
}
