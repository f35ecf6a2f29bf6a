import { expect, test } from '@playwright/test';
import { logIn, words } from './journey';

test('a listener chooses a phone and an app, and gets the taps with the own feed', async ({ page }) => {
  const t = words('en');
  await logIn(page, 'tom@altavoz.example');
  await page.goto('/feed/all');
  await page
    .getByRole('link', { name: t('follow:links.taps') })
    .first()
    .click();

  await page.getByRole('link', { name: t('podcatcher:device.iphone') }).click();
  await page.getByRole('link', { name: 'Overcast' }).click();

  await expect(page.getByRole('link', { name: t('podcatcher:address.open', { app: 'Overcast' }) })).toHaveAttribute(
    'href',
    /^overcast:\/\/x-callback-url\/add\?url=http/,
  );
  await expect(page.getByText(t('podcatcher:taps.addUrl'))).toBeVisible();
  await expect(page.getByRole('img', { name: t('podcatcher:address.qr') })).toBeVisible();
});
