import { expect, type Locator, type Page, test } from '@playwright/test';
import sharp from 'sharp';
import { DEMO_PASSWORD } from '../../server/seed/cast';
import { AXE, findings } from './axe';
import { logIn, words } from './journey';

const t = words('es');

/** Waits until React has taken over: before that, a search list is a plain select. */
const hydrated = (list: Locator) => expect(list).toHaveAttribute('aria-autocomplete', 'list');

/** Large pictures are cut while the user types. @returns a function that lets the pending cut end */
async function holdCanvas(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(() => {
    const { toBlob } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.toBlob = function (...args) {
      window.addEventListener('cut', () => toBlob.apply(this, args), { once: true });
    };
  });
  return () => page.evaluate(() => window.dispatchEvent(new Event('cut')));
}

test('a first login asks for language and country until they are answered; then the settings are open', {
  tag: '@deep',
}, async ({ page, context }) => {
  await logIn(page, 'marta@altavoz.example');
  const dialog = page.getByRole('dialog', { name: t('account:firstLogin.title') });
  await page.goto('/es/login');
  await page.goto('/es/profile');
  await expect(dialog).toBeVisible();
  await page.evaluate(AXE);
  expect(await findings(page)).toEqual([]);

  const country = page.getByRole('combobox', { name: t('account:profile.country') });
  await hydrated(country);
  for (let press = 0; press < 2; press += 1) await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await page.reload();
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toBeVisible();
  const tab = await context.newPage();
  await tab.goto('/es/@lucia');
  await expect(tab.getByRole('dialog')).toBeVisible();
  await tab.close();

  await page.goto('/es/profile');
  await hydrated(country);
  await country.fill('Xyz');
  await expect(page.getByText(t('account:noneFound'))).toBeVisible();
  await country.fill('espan');
  const spain = page.getByRole('option', { name: 'España' });
  // a finger on the list may begin to scroll, and the right button opens a menu
  await spain.dispatchEvent('pointerdown', { pointerType: 'touch' });
  await spain.click({ button: 'right' });
  await expect(country).toHaveValue('espan');
  await spain.click();
  await page.getByRole('button', { name: t('account:firstLogin.submit') }).click();

  await expect(page).toHaveURL(/\/es\/profile$/);
  await expect(country).toHaveValue('España');
  const create = { width: 900, height: 600, channels: 3 as const, background: '#274F94' };
  const buffer = await sharp({ create }).jpeg().toBuffer();
  await page.locator('input[type=file]').setInputFiles({ name: 'yo.jpg', mimeType: 'image/jpeg', buffer });
  const cutPicture = await holdCanvas(page);
  await page.getByRole('button', { name: t('studio:crop.use') }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByLabel(t('account:profile.description')).fill('Escucho en el tren. www.example.com');
  await page.getByRole('button', { name: t('account:profile.save'), exact: true }).click();
  await expect(page.getByText(t('errors:account.links_not_allowed'))).toBeVisible();
  await page.getByLabel(t('account:profile.description')).fill('Escucho en el tren.');
  await page.getByRole('button', { name: t('account:profile.save'), exact: true }).click();
  // the form waits for the picture
  await expect(page.getByRole('button', { name: t('studio:wait.stop'), exact: true })).toBeVisible();
  await cutPicture();
  await expect(page.getByText(t('studio:done.profile_saved')).first()).toBeVisible();
  await expect(page.getByRole('img', { name: t('studio:picture.alt') })).toHaveAttribute('src', /\/320\.webp$/);

  await page.getByRole('link', { name: t('account:tabs.billing') }).click();
  await page.getByRole('link', { name: t('account:billing.part.payouts') }).click();
  await page.getByLabel(t('account:payout.iban')).fill('ES91 2100 0418 4502 0005 1333');
  await page.getByLabel(t('account:password.current')).fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: t('account:payout.save') }).click();
  await expect(page.getByText(t('errors:account.iban_invalid'))).toBeVisible();
  await page.getByLabel(t('account:payout.iban')).fill('ES91 2100 0418 4502 0005 1332');
  await page.getByLabel(t('account:password.current')).fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: t('account:payout.save') }).click();
  await expect(page.getByText(t('studio:done.payout_saved')).first()).toBeVisible();
});
