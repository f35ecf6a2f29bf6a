import { expect, type Page, test } from '@playwright/test';
import { TOTP, totpCode, totpStepAt } from '../../server/auth/totp';
import { at, forgetSession, type NewPerson, newCreator, words } from './journey';

const t = words('en');

const button = (page: Page, key: string) => page.getByRole('button', { name: t(key), exact: true });

async function enterPassword(page: Page, { email, password }: NewPerson): Promise<void> {
  await page.getByLabel(t('auth:field.email')).fill(email);
  await page.getByLabel(t('auth:field.password'), { exact: true }).fill(password);
  await button(page, 'auth:login.submit').click();
}

/** Confirms the identity by password, and starts a set-up. */
async function confirmPassword(page: Page, { password }: NewPerson): Promise<void> {
  await page.goto('/profile/security');
  await page.getByLabel(t('account:confirm.password')).fill(password);
  await button(page, 'account:confirm.submit').click();
  await expect(button(page, 'account:app.setUp')).toBeVisible();
}

/** The next code that no log-in has used yet. */
const nextCode = (secret: string) => totpCode(secret, totpStepAt(new Date(Date.now() + TOTP.step)));

test('an authenticator app is set up and asked for without JavaScript, and a recovery code helps without the app', async ({
  browser,
}) => {
  const context = await browser.newContext();
  const person = await newCreator(await context.newPage());
  const plain = await browser.newContext({ javaScriptEnabled: false, storageState: await context.storageState() });
  const page = await plain.newPage();

  await confirmPassword(page, person);
  await button(page, 'account:app.setUp').click();
  await expect(page.getByRole('img', { name: t('account:app.qr') })).toBeVisible();
  const secret = ((await page.locator('code').first().textContent()) ?? '').replaceAll(' ', '');
  await page.getByLabel(t('account:app.code')).fill(totpCode(secret, totpStepAt(new Date())));
  await button(page, 'account:app.turnOn').click();
  const codes = await page.getByRole('listitem').locator('code').allInnerTexts();
  expect(codes).toHaveLength(10);

  await plain.clearCookies();
  await page.goto(at('en', '/login?next=/products'));
  await enterPassword(page, person);
  await expect(page.getByRole('heading', { name: t('auth:code.title') })).toBeVisible();
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/login\?/);
  await page.goto('/login/code?next=/products');
  await page.getByLabel(t('auth:code.field'), { exact: true }).fill('000000');
  await button(page, 'auth:code.submit').click();
  await expect(page.getByText(t('errors:account.wrong_code'))).toBeVisible();
  await page.getByLabel(t('auth:code.field'), { exact: true }).fill(nextCode(secret));
  await button(page, 'auth:code.submit').click();
  await expect(page).toHaveURL(/\/products$/);

  await plain.clearCookies();
  await page.goto('/login');
  await enterPassword(page, person);
  await page.getByLabel(t('auth:code.field'), { exact: true }).fill(codes[0]!);
  await button(page, 'auth:code.submit').click();
  await expect(page).toHaveURL(/\/dashboard/);
  await plain.close();
  await context.close();
});

test('a passkey is added, logs in alone and after the password, and is deleted', { tag: '@deep' }, async ({
  page,
  context,
}) => {
  const client = await context.newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const person = await newCreator(page);
  await confirmPassword(page, person);

  await button(page, 'account:passkeys.add').click();
  await expect(page.getByText(t('account:recovery.new'))).toBeVisible();
  await page.getByText(t('account:passkeys.rename')).click();
  await page.getByLabel(t('account:passkeys.name')).fill('My laptop');
  await button(page, 'account:passkeys.save').first().click();
  await expect(page.getByText(t('studio:done.passkey_renamed')).first()).toBeVisible();

  await forgetSession(page);
  await page.goto('/es/login?next=/es/products');
  await page.getByRole('button', { name: words('es')('auth:passkey.use') }).click();
  await expect(page).toHaveURL(/\/es\/products$/);

  await forgetSession(page);
  await page.goto('/login');
  await enterPassword(page, person);
  await expect(page.getByText(t('auth:code.leadPasskey'))).toBeVisible();
  await button(page, 'auth:passkey.use').click();
  await expect(page).toHaveURL(/\/dashboard/);

  await page.goto('/profile/security');
  await expect(page.getByText('My laptop')).toBeVisible();
  await button(page, 'account:passkeys.delete').click();
  await expect(page.getByText(t('studio:done.passkey_deleted')).first()).toBeVisible();
  await expect(page.getByText('My laptop')).toBeHidden();
});
