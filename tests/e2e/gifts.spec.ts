import { expect, test } from '@playwright/test';
import { logIn, payByCard, words } from './journey';

const SHOW = 'Noches de taller';

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
    await expect(other.locator('#content').getByRole('link', { name: t('buying:gift.open.signUp') })).toBeVisible();
    await logIn(other, 'ada@altavoz.example');
    await other.goto(link);
    await expect(other.getByText('Feliz día')).toBeVisible();
    await other.getByRole('button', { name: t('buying:gift.open.submit') }).click();
    await expect(other).toHaveURL(/\/feed\/\d+/);
    await other.goto(link);
    await expect(other.getByText(t('errors:gift.redeemed'))).toBeVisible();
    await receiver.close();
  });
});
