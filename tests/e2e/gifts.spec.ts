import { expect, test } from '@playwright/test';
import { hydrated, logIn, payByCard, words } from './journey';

const SHOW = 'Noches de taller';

test('the card of a gift shows what its giver writes', async ({ page }) => {
  const t = words('en');
  await page.goto('/en/@lucia/p/noches-de-taller');
  await page.getByRole('link', { name: t('public:price.gift'), exact: true }).click();
  await hydrated(page);
  const card = page.locator('.gift-card');
  await expect(card.getByText(t('buying:gift.open.unsigned'))).toBeVisible();

  await page.getByLabel(t('buying:gift.buy.recipientName')).fill('Nuria');
  await page.getByLabel(t('buying:gift.buy.message')).fill('Feliz día');
  await page.getByLabel(t('buying:gift.buy.giverName')).fill('Pau');

  await expect(card.getByText(t('buying:gift.card.for', { name: 'Nuria' }))).toBeVisible();
  await expect(card.getByRole('blockquote')).toHaveText('Feliz día');
  await expect(card.getByText(t('buying:gift.open.from', { giver: 'Pau' }))).toBeVisible();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a visitor gives three months, and a listener redeems the link', async ({ page, browser, baseURL }) => {
    const t = words('en');
    await page.goto('/en/@lucia/p/noches-de-taller');
    await page.getByRole('link', { name: t('public:price.gift'), exact: true }).click();
    await page.getByLabel(/^3 months: €12/).check();
    await page.getByLabel(t('buying:gift.buy.recipientName')).fill('Ada 🎁');
    await page.getByLabel(t('buying:gift.buy.message')).fill('Feliz día');
    await page.getByLabel(t('buying:gift.buy.email')).fill(`giver${Math.random().toString().slice(2)}@mail.example`);
    await page.getByLabel(t('buying:pay.adult')).check();
    await page.locator('input[name=terms]').check();
    await page.getByRole('button', { name: t('buying:pay.submit') }).click();
    await payByCard(page);
    await expect(page.getByRole('heading', { name: t('thanks:after.done.gift.title') })).toBeVisible();
    const link = await page.getByLabel(t('buying:gift.given.link', { show: SHOW })).inputValue();

    const receiver = await browser.newContext({ baseURL });
    const other = await receiver.newPage();
    await other.goto(link);
    await expect(other.locator('#content').getByRole('link', { name: t('buying:gift.open.submit') })).toBeVisible();
    await logIn(other, 'ada@altavoz.example');
    await other.goto(link);
    await expect(other.getByText('Feliz día')).toBeVisible();
    await other.getByRole('button', { name: t('buying:gift.open.submit') }).click();
    await expect(other).toHaveURL(/\/thanks\?redeemed=\d+/);
    await expect(
      other.getByRole('heading', { name: t('thanks:after.done.redeemed.title', { show: SHOW }) }),
    ).toBeVisible();
    await expect(other.getByRole('heading', { name: t('thanks:listen.title') })).toBeVisible();
    await other.goto(link);
    await expect(other.getByText(t('errors:gift.redeemed'))).toBeVisible();
    await receiver.close();
  });
});
