import { expect, test } from 'vitest';
import { v1Door } from '~/server/doors/v1/door';
import { createAnswerCache } from '~/server/rest/answer-cache';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env } = await cast();
const app = pagesApp(runtime, env.urls, {
  doors: [
    v1Door(
      runtime,
      createAnswerCache(() => false),
    ),
  ],
});
const APP = env.urls.appUrl;
const read = (path: string) => app.request(APP + path);

test.each([
  '/developers',
  '/developers/',
  '/en/developers',
  '/es/developers/',
  '/developers/webhooks',
  '/es/developers/codes/',
])('%s is a page without scripts, in the language of its address', async (path) => {
  const response = await read(path);

  expect(response.status).toBe(200);
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
  expect(await response.text()).toContain(`<html lang="${path.startsWith('/es') ? 'es' : 'en'}">`);
});

test('a guide that does not exist is not found, and creators have no documentation of the API', async () => {
  const host = APP.replace('//', '//staging-lucia.');

  expect((await read('/developers/nothing')).status).toBe(404);
  expect((await app.request(`${host}/developers/webhooks`)).status).toBe(404);
});

test('the footer of the site leads to the documentation', async () => {
  const home = await (await read('/es')).text();

  expect(home).toContain(`href="${APP}/es/developers"`);
});
