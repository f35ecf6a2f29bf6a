import { expect, test } from '@playwright/test';
import { isDeep } from '../support/deep';
import { collectErrors } from './browser-errors';
import { logIn } from './journey';
import { PUBLIC, STUDIO } from './pages';

// a normal run visits each page once, on one side of Greenwich (accessibility.spec.ts)
test('no page reports an error in browsers on the other side of Greenwich', async ({ browser, baseURL }) => {
  test.skip(!isDeep, 'for npm run test:deep');
  test.setTimeout(300_000);
  const west = await browser.newContext({ timezoneId: 'America/Los_Angeles', locale: 'es-MX', baseURL });
  const east = await browser.newContext({ timezoneId: 'Asia/Kolkata', locale: 'es-MX', baseURL });
  const [visitor, creator] = [await west.newPage(), await east.newPage()];
  const errors = [collectErrors(visitor), collectErrors(creator)];

  for (const path of PUBLIC) await visitor.goto(path, { waitUntil: 'networkidle' });
  await logIn(creator, 'lucia@altavoz.example');
  for (const path of STUDIO) await creator.goto(path, { waitUntil: 'networkidle' });

  expect(errors).toEqual([[], []]);
});
