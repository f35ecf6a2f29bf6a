import { expect, type Page, test } from '@playwright/test';
import { chooseCountry, forgetSession, nameFor, words } from './journey';

const t = words('en');

/** Answers the page of the local Google or Facebook. */
async function answerAs(page: Page, provider: string, email: string): Promise<void> {
  await expect(page.getByRole('heading', { name: `Log in with ${provider}` })).toBeVisible();
  await page.getByText('Somebody else').click();
  await page.getByLabel('Name').fill('Inés Prueba');
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
}

const continueWith = (page: Page, provider: string) =>
  page.getByRole('link', { name: t('auth:other.continue', { provider }) }).click();

test('a visitor signs up with Google, logs in again, and connects and disconnects Facebook', { tag: '@deep' }, async ({
  page,
}) => {
  const email = `${nameFor('ines')}@mail.example`;
  await page.goto('/register');
  await continueWith(page, 'Google');
  await answerAs(page, 'Google', email);
  await expect(page.getByLabel(t('auth:field.email'))).toHaveValue(email);
  await chooseCountry(page, 'en');
  await page.locator('input[name=terms]').check();
  await page.getByRole('button', { name: t('auth:register.submit') }).click();
  await expect(page).toHaveURL(/\/start/);

  await forgetSession(page);
  await page.goto('/login?next=/profile/security');
  await continueWith(page, 'Google');
  await answerAs(page, 'Google', email);
  await expect(page).toHaveURL(/\/profile\/security/);

  await page.getByRole('link', { name: t('account:connections.connect', { provider: 'Facebook' }) }).click();
  await answerAs(page, 'Facebook', email);
  await page.getByRole('button', { name: t('account:connect.submit', { provider: 'Facebook' }) }).click();
  await expect(page.getByText(t('studio:done.identity_linked')).first()).toBeVisible();
  await page.getByRole('button', { name: t('account:connections.disconnect', { provider: 'Facebook' }) }).click();
  await expect(page.getByText(t('studio:done.identity_unlinked')).first()).toBeVisible();
  await expect(page.getByText(t('account:connections.onlyWay'))).toBeVisible();
});
