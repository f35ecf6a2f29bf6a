import fs from 'node:fs';
import { expect, test } from '@playwright/test';
import { admin } from './admin';
import { AXE, findings } from './axe';
import { at, logIn, words } from './journey';

test('a creator requests a payout, the operator pays it by command, and the papers can be downloaded', async ({
  page,
}) => {
  // each of the operator's commands starts a process, which takes ten seconds on a busy machine
  test.slow();
  const t = words('es');
  await logIn(page, 'lucia@altavoz.example');
  await page.goto(at('es', '/dashboard'));
  await page.getByRole('link', { name: t('money:card.request') }).click();
  await page.getByRole('link', { name: /^Revisar el pago de/ }).click();
  await expect(page.getByText(t('money:review.final'))).toBeVisible();
  await page.getByRole('button', { name: /^Pedir pago de/ }).click();

  const row = page.getByRole('row').filter({ hasText: 'ES91 … 1332' }).first();
  await expect(row.getByText(t('money:state.requested'))).toBeVisible();
  await expect(page.getByRole('link', { name: /^Revisar el pago de/ })).toHaveCount(0);
  const [{ id } = { id: '' }, ...others] = admin(page.url(), 'payouts', 'list');
  expect(others).toEqual([]);
  admin(page.url(), 'payouts', 'approve', id);
  await page.reload();
  await expect(row.getByText(t('money:state.approved'))).toBeVisible();
  expect(admin(page.url(), 'payouts', 'paid', id)).toMatchObject([{ id, status: 'paid' }]);
  await page.reload();

  const download = page.waitForEvent('download');
  await row.getByRole('link', { name: /^Factura/ }).click();
  const invoice = await (await download).path();
  expect(fs.readFileSync(invoice).subarray(0, 5).toString()).toBe('%PDF-');
  await page.getByRole('link', { name: t('money:openStatements') }).click();
  await expect(page.getByRole('row', { name: new RegExp(`^${t('money:kind.payout')}`) })).toBeVisible();
  await page.evaluate(AXE);
  expect(await findings(page)).toEqual([]);
  const statement = page.waitForEvent('download');
  await page.getByRole('link', { name: t('money:statement.csv') }).click();
  expect(fs.readFileSync(await (await statement).path(), 'utf8')).toContain(`,payout,,,,0.00,0.00,0.00,-`);
});
