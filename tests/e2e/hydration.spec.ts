import { expect, test } from '@playwright/test';
import { collectErrors } from './browser-errors';
import { logIn } from './journey';
import { PUBLIC, STUDIO } from './pages';

// the accessibility journeys visit the same pages from west of Greenwich
test('no page reports an error in a browser in Asia/Kolkata', async ({ browser, baseURL }) => {
  test.setTimeout(300_000);
  const context = await browser.newContext({ timezoneId: 'Asia/Kolkata', locale: 'es-MX', baseURL });
  const page = await context.newPage();
  const errors = collectErrors(page);

  for (const path of PUBLIC) await page.goto(path, { waitUntil: 'networkidle' });
  await logIn(page, 'lucia@altavoz.example');
  for (const path of STUDIO) await page.goto(path, { waitUntil: 'networkidle' });

  expect(errors).toEqual([]);
});
