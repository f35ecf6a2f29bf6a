import { expect, type Page, test } from '@playwright/test';
import type { Language } from '../../locales/languages';
import { hydrated, logIn, payByCard, words } from './journey';

const SHOW = 'Noches de taller';
const EPISODE = 'El piano de la 3B';

async function toPayment(page: Page, language: Language): Promise<void> {
  const t = words(language);
  await page.goto(`/${language}/@lucia/p/noches-de-taller`);
  await page
    .locator('.offer')
    .getByRole('link', { name: t('offer:offer.month', { amount: language === 'en' ? '€4' : '4 €' }), exact: true })
    .click();
  await expect(page.getByRole('heading', { name: t('buying:title.subscription', { show: SHOW }) })).toBeVisible();
}

async function fillIn(page: Page, language: Language, email: string): Promise<void> {
  const t = words(language);
  await page.getByLabel(t('buying:pay.email')).fill(email);
  await page.getByLabel(t('buying:pay.adult')).check();
  await page.locator('input[name=terms]').check();
  await page.getByRole('button', { name: t('buying:pay.submit') }).click();
  await expect(page).toHaveURL(/\/_sandbox\/stripe\/pay\//);
}

const address = () => `oyente${Math.random().toString().slice(2)}@mail.example`;

/** Fetches an episode as an app without a login, by the feed's address on the page. @returns its status and bytes */
function hearInApp(page: Page, feedUrl: string, episodeId: string) {
  return page.evaluate(
    async ([address, id]) => {
      const feed = await fetch(address!, { credentials: 'omit' });
      const [audio = ''] = new RegExp(`http[^"]*/audio/${id}/[^"]*[?]feed=[^"]*`).exec(await feed.text()) ?? [];
      const file = await fetch(audio, { credentials: 'omit', headers: { range: 'bytes=0-1023' } });
      return { status: file.status, bytes: (await file.arrayBuffer()).byteLength };
    },
    [feedUrl, episodeId],
  );
}

test('a visitor subscribes without an account, and hears the first private episode', async ({ page }) => {
  const t = words('es');
  let paidAt = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/_sandbox/stripe/pay/')) paidAt = Date.now();
  });
  await toPayment(page, 'es');
  await hydrated(page);
  const email = address();
  await fillIn(page, 'es', email);
  // a buyer who leaves the payment page finds the form as it was
  await page.goBack();
  await expect(page.getByLabel(t('buying:pay.email'))).toHaveValue(email);
  await page.getByRole('button', { name: t('buying:pay.submit') }).click();
  await payByCard(page, '4000 0000 0000 0002');
  await expect(page).toHaveURL(/\/_sandbox\/stripe\/pay\//);
  await payByCard(page);

  await expect(page.getByRole('heading', { name: t('thanks:after.done.show.title', { show: SHOW }) })).toBeVisible();
  const shownAt = Date.now();
  const feedUrl = await page.locator('.app-feeds input').first().inputValue();
  const [, episodeId = ''] = /audio\/(\d+)/.exec((await page.locator('audio').first().getAttribute('src')) ?? '') ?? [];
  const heard = await hearInApp(page, feedUrl, episodeId);
  const seconds = (at: number) => ((at - paidAt) / 1000).toFixed(2);
  console.info(`after the payment: its page ${seconds(shownAt)} s, audio in an app ${seconds(Date.now())} s`);
  expect(heard).toEqual({ status: 206, bytes: 1024 });
  await hydrated(page);
  await page
    .getByRole('button', { name: new RegExp(EPISODE) })
    .first()
    .click();
  await expect(page.locator('[data-playing=true]').first()).toBeVisible();
});

test('a coupon that was typed but not applied counts', { tag: '@deep' }, async ({ page }) => {
  const t = words('en');
  await toPayment(page, 'en');
  await hydrated(page);
  await page.getByText(t('buying:choice.hasCoupon')).click();
  await page.getByLabel(t('buying:choice.coupon')).fill('taller3');
  await page.getByLabel(t('buying:pay.email')).fill(address());
  await page.getByLabel(t('buying:pay.adult')).check();
  await page.locator('input[name=terms]').check();
  await page.getByRole('button', { name: t('buying:pay.submit') }).click();
  await expect(page).toHaveURL(/\/_sandbox\/stripe\/pay\//);
  await expect(page.getByText('€2.50').first()).toBeVisible();
});

test('the bill follows the amount that a buyer types', async ({ page }) => {
  const t = words('en');
  await page.goto('/en/@bruno/p/bottles');
  await page
    .locator('.offer')
    .getByRole('link', { name: t('offer:offer.more.once', { amount: '$5' }), exact: true })
    .click();
  await hydrated(page);
  const amount = page.getByLabel(t('buying:choice.amount'));
  await amount.fill('20');
  await expect(page.locator('.bill-today')).toContainText('20.00');
  await expect(amount).toBeFocused();
  await expect(amount).toHaveValue('20');

  // a press on the button right after typing pays the new amount, too
  await amount.fill('21');
  await fillIn(page, 'en', address());
  await expect(page.getByText(/21\.00/).first()).toBeVisible();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a visitor subscribes, and their browser plays the episode', async ({ page }) => {
    const t = words('en');
    await toPayment(page, 'en');
    await page.getByLabel(/a year/).check();
    await page.getByRole('button', { name: t('buying:choice.update') }).click();
    await expect(page.locator('.bill-today')).toContainText('€40.00');
    await fillIn(page, 'en', address());
    await payByCard(page);

    await expect(page.getByRole('heading', { name: t('thanks:after.done.show.title', { show: SHOW }) })).toBeVisible();
    await expect(page.locator('audio').first()).toHaveAttribute('src', /\/audio\/\d+\//);
  });
});

test('a receipt is a PDF in the bundled app, too', { tag: '@deep' }, async ({ page }) => {
  await logIn(page, 'eva@altavoz.example');
  await page.goto('/account/billing/receipts');
  const address = await page.locator('.receipts a[download]').first().getAttribute('href');

  const file = await page.evaluate(async (url) => (await fetch(url)).text(), address!);

  expect(file.slice(0, 5)).toBe('%PDF-');
});
