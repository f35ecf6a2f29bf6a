import { expect, test } from '@playwright/test';
import { hydrated, logIn, words } from './journey';

const t = words('en');

test('a creator finds an article in the search of the studio, and a screen leads to its own', async ({ page }) => {
  await logIn(page, 'ada@altavoz.example');
  await page.goto('/coupons');
  await hydrated(page);

  await page.getByRole('link', { name: t('help:howTo') }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Create a coupon' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: t('coupons:title') })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: t('palette:label') }).fill('transcr');
  await page
    .getByRole('group', { name: t('palette:group.help') })
    .getByRole('option', { name: 'Add and correct a transcript' })
    .click();

  await expect(page.getByRole('heading', { level: 1, name: 'Add and correct a transcript' })).toBeVisible();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a visitor finds an article by its words, and reads it in the other language', async ({ page }) => {
    await page.goto('/en');
    await page
      .getByRole('contentinfo')
      .getByRole('link', { name: t('common:footer.help') })
      .click();
    await page.getByRole('searchbox').fill('qr code private feed');
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('main').getByRole('link', { name: 'Add a private feed to your app' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Add a private feed to your app' })).toBeVisible();

    await page.getByRole('button', { name: 'Español' }).click();

    await expect(page).toHaveURL(/\/es\/ayuda\/escuchar-un-feed-privado$/);
    await expect(page.getByRole('heading', { level: 1, name: 'Añade un feed privado a tu app' })).toBeVisible();
  });
});
