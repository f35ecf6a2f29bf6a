import { expect, test } from '@playwright/test';
import { isDeep } from '../support/deep';
import { collectErrors } from './browser-errors';
import { logIn } from './journey';
import { PUBLIC, STUDIO } from './pages';

/** The other pages show no time; the accessibility journeys visit all of them from west of Greenwich. */
const SHOWS_TIMES = /^\/(?:es)?$|\/p\/|dashboard|podcasts\/|security/;
const visited = (paths: string[]) => (isDeep ? paths : paths.filter((path) => SHOWS_TIMES.test(path)));

test('no page reports an error in a browser in Asia/Kolkata', async ({ browser, baseURL }) => {
  test.setTimeout(300_000);
  const context = await browser.newContext({ timezoneId: 'Asia/Kolkata', locale: 'es-MX', baseURL });
  const page = await context.newPage();
  const errors = collectErrors(page);

  for (const path of visited(PUBLIC)) await page.goto(path, { waitUntil: 'networkidle' });
  await logIn(page, 'lucia@altavoz.example');
  for (const path of visited(STUDIO)) await page.goto(path, { waitUntil: 'networkidle' });

  expect(errors).toEqual([]);
});
