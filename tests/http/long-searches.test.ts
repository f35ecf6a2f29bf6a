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
  ['/feed?search=', tom],
  ['/products?search=', lucia],
  [`/podcasts/${podcast.id}/episodes?search=`, lucia],
  ['/audience?search=', lucia],
  ['/coupons?search=', lucia],
  ['/audio-insertion?search=', lucia],
])('%s searches for the first characters of a long text', async (address, who) => {
  const headers = { cookie: who ? `token=${who.token}` : '' };

  const response = await app.request(`${env.urls.appUrl}${address}${LONG}`, { headers });

  expect(response.status).toBe(200);
  const html = await response.text();
  expect(html).toContain(`value="${KEPT}"`);
  expect(html).not.toContain('a'.repeat(ROOM + 1));
});

test('a character is not cut in two', async () => {
  const response = await app.request(`${env.urls.appUrl}/en/discover?search=${'a'.repeat(ROOM - 1)}%F0%9F%8E%A7`);

  expect([response.status, (await response.text()).includes(`value="${'a'.repeat(ROOM - 1)}"`)]).toEqual([200, true]);
});
