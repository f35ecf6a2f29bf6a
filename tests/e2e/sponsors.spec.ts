import { expect, test } from '@playwright/test';
import { hydrated, logIn, words } from './journey';
import { idOf } from './pages';

const t = words('es');

test('a link for a sponsor is made and shown, and the form is empty for the next one', async ({ page, browser }) => {
  await logIn(page, 'lucia@altavoz.example');
  await page.goto(`/podcasts/${idOf('postales-sonoras')}/metric/sponsors`);
  await hydrated(page);
  const name = page.getByLabel(t('sponsors:new.name'), { exact: true });
  await name.fill('Café Sol');
  await page.getByRole('button', { name: t('sponsors:new.submit'), exact: true }).click();

  await expect(page.getByRole('heading', { name: t('sponsors:made.title'), exact: true })).toBeVisible();
  await expect(name).toHaveValue('');
  await expect(page.getByRole('rowheader', { name: 'Café Sol' })).toBeVisible();

  const address = await page.getByRole('status').getByRole('link').getAttribute('href');
  const visitor = await browser.newPage();
  const answer = await visitor.goto(address!);
  expect(answer?.status()).toBe(200);
  await visitor.close();
});
