import { expect, type Page } from '@playwright/test';
import { totpCode, totpStepAt } from '../../server/auth/totp';
import { admin } from './admin';
import { newCreator, words } from './journey';

const t = words('en');
export const button = (page: Page, key: string) => page.getByRole('button', { name: t(key), exact: true });

/** Signs up and becomes an operator, who has to set up a second factor. */
export async function becomeOperator(page: Page): Promise<void> {
  const { email, password } = await newCreator(page);
  admin(page.url(), 'operators', 'add', email);
  await page.goto('/admin');
  await expect(page.getByText(t('admin:proof.setUp'))).toBeVisible();
  await setUpSecondFactor(page, password);
}

async function setUpSecondFactor(page: Page, password: string): Promise<void> {
  await page.goto('/profile/security');
  await page.getByLabel(t('account:confirm.password')).fill(password);
  await button(page, 'account:confirm.submit').click();
  await button(page, 'account:app.setUp').click();
  const secret = ((await page.locator('code').first().textContent()) ?? '').replaceAll(' ', '');
  await page.getByLabel(t('account:app.code')).fill(totpCode(secret, totpStepAt(new Date())));
  await button(page, 'account:app.turnOn').click();
  await expect(page.getByRole('listitem').locator('code')).toHaveCount(10);
}
