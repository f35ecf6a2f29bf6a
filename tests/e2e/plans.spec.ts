import { expect, type Page, test } from '@playwright/test';
import { at, logIn, newCreator, words } from './journey';

const t = words('en');
const VISA = '4242 4242 4242 4242';

/** Pays on the sandbox's payment page. */
async function pay(page: Page): Promise<void> {
  await page.getByLabel('Card number').fill(VISA);
  await page.locator('button[name=step][value=pay], button[type=submit]').first().click();
}

test('a creator subscribes, upgrades at the shown amount, cancels and renews', async ({ page }) => {
  await newCreator(page);
  await page.goto('/go-paid');
  await page
    .getByRole('link', { name: t('plans:plans.choose', { plan: 'Basic' }) })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: t('plans:change.start', { plan: 'Basic' }) })).toBeVisible();
  await expect(page.locator('dd').first()).toHaveText('€9.00');
  await page.getByRole('button', { name: t('plans:change.payPage') }).click();
  await pay(page);

  const congratulations = page.getByRole('dialog', { name: t('plans:started.title') });
  await expect(congratulations).toContainText('Basic');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/plans$/);

  await page
    .getByRole('link', { name: t('plans:plans.choose', { plan: 'Pro' }) })
    .first()
    .click();
  await expect(page.locator('dd').first()).toHaveText('€10.00');
  await page.getByRole('button', { name: t('plans:change.confirmUpgrade', { amount: '€10.00' }) }).click();
  await expect(congratulations).toContainText('Pro');
  await page.keyboard.press('Escape');

  await page.goto('/billing');
  await expect(page.getByText(/^Next payment: €19\.00/)).toBeVisible();
  await page.getByRole('link', { name: t('plans:now.cancel') }).click();
  await page.getByLabel(t('plans:end.reason')).fill('Only a test');
  await page.getByRole('button', { name: t('plans:end.confirm') }).click();
  await page.getByRole('button', { name: t('plans:now.renew') }).click();
  await expect(page.getByText(/^Next payment: €19\.00/)).toBeVisible();
});

test('a creator whose trial has ended is asked for a plan once, and finds it without JavaScript, too', {
  tag: '@deep',
}, async ({ page, browser, baseURL }) => {
  await logIn(page, 'vera@altavoz.example');
  await page.goto('/es/dashboard');
  const es = words('es');
  const prompt = page.getByRole('dialog', { name: es('plans:prompt.title') });
  await expect(prompt).toBeVisible();
  await prompt.getByRole('button', { name: es('plans:prompt.later') }).click();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(prompt).toBeHidden();

  const plain = await browser.newContext({ javaScriptEnabled: false, baseURL });
  await plain.addCookies(await page.context().cookies());
  const simple = await plain.newPage();
  await simple.goto(at('es', '/go-paid'));
  await simple
    .getByRole('link', { name: es('plans:plans.choose', { plan: 'Plus' }) })
    .first()
    .click();
  await simple.getByRole('button', { name: es('plans:change.payPage') }).click();
  await expect(simple.getByText('49,00')).not.toHaveCount(0);
  await plain.close();
});
