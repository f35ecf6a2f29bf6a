import { expect, type Page, test } from '@playwright/test';
import { totpCode, totpStepAt } from '../../server/auth/totp';
import { admin } from './admin';
import { AXE, findings } from './axe';
import { collectErrors } from './browser-errors';
import { hydrated, newCreator, words } from './journey';

const t = words('en');
const button = (page: Page, key: string) => page.getByRole('button', { name: t(key), exact: true });

/** An operator has to set one up before the pages open. */
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

test('an operator finds an account, suspends and restores it, and retries what has failed, on a phone', async ({
  browser,
}) => {
  const person = await newCreator(await (await browser.newContext()).newPage());
  const page = await (await browser.newContext({ viewport: { width: 360, height: 800 } })).newPage();
  const errors = collectErrors(page);
  const operator = await newCreator(page);
  admin(page.url(), 'operators', 'add', operator.email);
  await page.goto('/admin');
  await expect(page.getByText(t('admin:proof.setUp'))).toBeVisible();
  await setUpSecondFactor(page, operator.password);

  await page.goto('/admin');
  await hydrated(page);
  await page.getByLabel(t('admin:overview.search')).fill(person.email.slice(0, -5));
  await page
    .locator('#content')
    .getByRole('button', { name: t('admin:search') })
    .click();
  await page.getByRole('link', { name: person.email }).click();
  await page.getByText(t('admin:users.suspendTitle')).click();
  await page.getByLabel(t('admin:reason')).fill('Spam');
  await button(page, 'admin:users.suspend').click();
  await expect(page.getByText('users.suspended')).toBeVisible();
  await page.evaluate(AXE);
  expect(await findings(page)).toEqual([]);
  await button(page, 'admin:users.unsuspend').click();
  await expect(page.getByText('users.unsuspended')).toBeVisible();

  const isTooWide = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  for (const path of [
    '/admin',
    '/admin/creators',
    '/es/admin/jobs',
    '/admin/imports',
    '/admin/payouts',
    '/admin/announcements',
    '/admin/take-downs',
    '/admin/mail',
  ]) {
    await page.goto(path);
    expect(await isTooWide(), path).toBe(false);
    await page.evaluate(AXE);
    expect(await findings(page), path).toEqual([]);
  }
  await page.getByRole('button', { name: t('admin:mail.resendTo', { to: 'old-address@mail.example' }) }).click();
  await expect(page.getByText('old-address@mail.example')).toBeHidden();
  expect(errors).toEqual([]);
});
