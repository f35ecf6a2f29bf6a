import { expect, test } from '@playwright/test';
import { hydrated, words } from './journey';

test('a visitor finds the prices, calculates with own figures and corrects one', async ({ page }) => {
  const t = words('es');
  await page.goto('/es');
  await page.getByRole('link', { name: t('marketing:home.prices') }).click();
  await expect(page.getByRole('heading', { level: 1, name: t('pricing:headline') })).toBeVisible();
  const start = page.getByRole('link', { name: t('pricing:startWith', { plan: 'Basic' }) });
  await expect(start).toHaveAttribute('href', /\/es\/register\?next=/);
  await page.getByRole('link', { name: t('pricing:example.calculator') }).click();
  await hydrated(page);

  await page.getByLabel(t('calculator:field.subscribers')).fill('1,5');
  await page.getByLabel(t('calculator:field.donations')).fill('0');
  await page.getByLabel(t('calculator:field.sales')).fill('0');
  await page.getByRole('button', { name: t('calculator:submit') }).click();

  await expect(page.getByText(t('errors:earnings.count_invalid'))).toBeVisible();
  await expect(page.getByLabel(t('calculator:field.subscribers'))).toBeFocused();
  await expect(page.getByLabel(t('calculator:field.donations'))).toHaveValue('0');

  await page.getByLabel(t('calculator:field.subscribers')).fill('50');
  await page.getByRole('button', { name: t('calculator:submit') }).click();

  // 50 × 3.68 − 9.00
  await expect(page.getByRole('status').filter({ hasText: '175,00' })).toBeVisible();
  await expect(page.getByRole('region', { name: t('calculator:result') })).toBeFocused();
  await expect(page).toHaveURL(/[?&]subscribers=50&/);
  const shared = await page.getByLabel(t('calculator:share')).inputValue();
  await page.goto(shared);
  await expect(page.getByRole('status').filter({ hasText: '175,00' })).toBeVisible();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the limits of a plan on a phone and the calculator work', async ({ page }) => {
    const t = words('en');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/en/pricing');
    const basic = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Basic' }) });
    const limit = basic.getByText(t('plans:row.paidSubscribers'), { exact: true });
    await expect(limit).toBeHidden();
    await basic.getByText(t('pricing:included')).click();
    await expect(limit).toBeVisible();

    await page.goto('/en/calculator');
    await page.getByLabel(t('calculator:field.subscribers')).fill('50');
    await page.getByLabel(t('calculator:field.price'), { exact: true }).fill('0.50');
    await page.getByRole('button', { name: t('calculator:submit') }).click();
    await expect(page.getByText(t('errors:earnings.amount_bounds', { min: '€1.00', max: '€500.00' }))).toBeVisible();
    await expect(page.getByLabel(t('calculator:field.subscribers'))).toHaveValue('50');
  });
});
