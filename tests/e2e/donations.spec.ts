import { expect, type Page, test } from '@playwright/test';
import type { Language } from '../../locales/languages';
import { at, hydrated, logIn, nameFor, payByCard, words } from './journey';

async function fillForm(page: Page, language: Language, donor: { name: string; message: string }): Promise<void> {
  const t = words(language);
  const name = 'Lucía Ferrer';
  await page.getByLabel(t('donation:form.otherAmount')).check();
  await page.getByLabel(t('donation:form.amountIn', { currency: 'EUR' })).fill('0,50');
  await page.getByLabel(t('donation:form.email')).fill('ines_b+radio@mail.example');
  await page.getByLabel(t('donation:form.name')).fill(donor.name);
  await page.getByLabel(t('donation:form.message', { name })).fill(donor.message);
  await page.getByRole('button', { name: t('donation:form.submit') }).click();
  // an error keeps the typed values
  await expect(page.getByText(t('errors:donation.amount_out_of_range'))).toBeVisible();
  await expect(page.getByLabel(t('donation:form.message', { name }))).toHaveValue(donor.message);
  await page.getByLabel(t('donation:form.amountIn', { currency: 'EUR' })).fill('7,50');
  await page.getByRole('button', { name: t('donation:form.submit') }).click();
}

test('a visitor donates from the creator page, and the creator takes the donor off the wall', async ({ page }) => {
  const t = words('es');
  const donor = { name: nameFor('Inés '), message: 'Un <b>saludo</b> שלום' };
  await page.goto('/es/@lucia');
  await page.getByRole('link', { name: t('donation:block.button'), exact: true }).click();
  await hydrated(page);
  await fillForm(page, 'es', donor);
  await payByCard(page);

  await expect(page.getByRole('heading', { name: t('donation:given.title') })).toBeVisible();
  await expect(page.getByText('Has dado 7,50')).toBeVisible();
  await expect(page.getByText('Gracias de corazón.')).toBeVisible();

  await logIn(page, 'lucia@altavoz.example');
  const row = page.getByRole('row').filter({ hasText: donor.name });
  // the thanks do not wait for the webhook that records the donation
  await expect(async () => {
    await page.goto('/es/donation/1/subscribers');
    await expect(row).toContainText(donor.message, { timeout: 2000 });
  }).toPass();
  await row.getByRole('button', { name: t('donation:donors.hideOf', { name: donor.name }) }).click();
  await expect(row).toContainText(t('donation:donors.hidden'));
  await page.goto(at('es', '/donation/1'));
  await expect(page.getByText(t('donation:wall.title'))).toBeVisible();
  await expect(page.getByText(donor.name)).toHaveCount(0);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a visitor donates', { tag: '@deep' }, async ({ page }) => {
    const t = words('en');
    const donor = { name: nameFor('Ines '), message: 'Hello' };
    await page.goto('/en/donation/1');
    await fillForm(page, 'en', donor);
    await payByCard(page);

    await expect(page.getByText('You gave €7.50 to Lucía Ferrer.')).toBeVisible();
    await expect(page.getByText(t('donation:given.from', { name: 'Lucía Ferrer' }))).toBeVisible();
  });
});
