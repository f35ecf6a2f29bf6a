import { expect, test } from '@playwright/test';
import { hydrated, logIn, words } from './journey';
import { idOf } from './pages';

const es = words('es');
const en = words('en');

test('a creator finds a show by its promo and asks, the other one accepts, and the page names it until one ends it', async ({
  page,
  browser,
}) => {
  const show = `/audio-series/${idOf('cuatro-estaciones')}`;
  await logIn(page, 'lucia@altavoz.example');
  await page.goto(`${show}/recommendation/select-recommendation?search=street`);
  await hydrated(page);
  await page.getByRole('link', { name: es('recommending:chooseOf', { name: 'Street Tunes' }), exact: true }).click();
  await page.getByLabel(es('recommending:atEnd'), { exact: true }).check();
  await page.getByRole('button', { name: es('recommending:request.submit'), exact: true }).click();
  await expect(page.getByText(es('recommending:status.requested'), { exact: true })).toBeVisible();

  // without a script
  const bruno = await browser.newPage({ javaScriptEnabled: false });
  await logIn(bruno, 'bruno@altavoz.example');
  await bruno.goto('/recommendation');
  const request = bruno.getByRole('listitem').filter({ hasText: 'Cuatro estaciones' });
  await request.getByRole('button', { name: /^Accept/ }).click();
  await expect(request.getByText(en('recommending:status.accepted'), { exact: true })).toBeVisible();

  await page.goto('/@lucia/p/cuatro-estaciones');
  const named = page.getByRole('region', { name: es('public:recommends') }).getByRole('link');
  await expect(named).toHaveText(/Street Tunes/);

  await page.goto(`${show}/recommendation`);
  await hydrated(page);
  await page.locator('summary', { hasText: es('recommending:step.end') }).click();
  await page.getByRole('button', { name: es('recommending:step.endNow'), exact: true }).click();
  await expect(page.getByText(es('recommending:status.ended'), { exact: true })).toBeVisible();
  await page.goto('/@lucia/p/cuatro-estaciones');
  await expect(named).toHaveCount(0);
  await bruno.close();
});
