import { expect, test } from '@playwright/test';
import { hydrated, logIn, words } from './journey';

const t = words('es');

test('an automation starts with written texts, is changed, switched on and off', async ({ page }) => {
  await logIn(page, 'lucia@altavoz.example');
  await page.goto('/newsletter/automations');
  await hydrated(page);
  const start = t('automations:start.useOf', { name: t('automations:start.thanks') });
  await page.getByRole('button', { name: start, exact: true }).click();
  await expect(page).toHaveURL(/\/newsletter\/automations\/\d+$/);
  await hydrated(page);

  await page.getByRole('link', { name: t('content:automation.draft.thanks.1.title'), exact: true }).click();
  await expect(page).toHaveURL(/\/emails\/\d+$/);
  await hydrated(page);
  await page.getByRole('textbox', { name: t('editions:field.title'), exact: true }).fill('Gracias de corazón');
  await page.getByRole('button', { name: t('automations:stepSubmit'), exact: true }).click();
  await expect(page).toHaveURL(/\/newsletter\/automations\/\d+(\?|$)/);
  await hydrated(page);
  await expect(page.getByRole('link', { name: 'Gracias de corazón', exact: true })).toBeVisible();

  await page.getByRole('button', { name: t('automations:on'), exact: true }).click();
  await expect(page.getByText(t('automations:state.on'), { exact: true })).toBeVisible();
  await page.getByRole('button', { name: t('automations:off'), exact: true }).click();
  await expect(page.getByText(t('automations:state.off'), { exact: true })).toBeVisible();
});
