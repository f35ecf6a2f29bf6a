import { expect, test } from '@playwright/test';
import { hydrated, logIn, words } from './journey';

const t = words('es');

test('an edition is written, saved while typing, and sent to a part of the list', async ({ page }) => {
  await logIn(page, 'lucia@altavoz.example');
  await page.goto('/newsletter/create');
  await hydrated(page);
  await page.getByRole('button', { name: t('editions:create.start'), exact: true }).click();
  await expect(page).toHaveURL(/\/newsletter\/edit\/\d+/);
  await hydrated(page);

  await page.getByRole('textbox', { name: t('editions:field.title'), exact: true }).fill('La lata y la lluvia');
  await page.getByRole('textbox', { name: t('editions:field.content') }).fill('Hola, {{name|qué tal}}.');
  await expect(page.getByText(t('editions:saved'), { exact: true })).toBeVisible();
  await page.getByRole('button', { name: t('editions:next'), exact: true }).click();

  await expect(page).toHaveURL(/step=audience/);
  await hydrated(page);
  const audience = page.getByLabel(t('editions:field.audience'), { exact: true });
  await audience.selectOption('tag:VIP');
  await expect(page.getByText(t('editions:saved'), { exact: true })).toBeVisible();
  await page.getByRole('button', { name: t('editions:next'), exact: true }).click();
  await expect(page).toHaveURL(/step=seo/);
  await page.getByRole('button', { name: t('editions:next'), exact: true }).click();
  await expect(page).toHaveURL(/step=review/);
  await page.getByRole('button', { name: /^Enviar ahora a \d+ personas$/ }).click();

  await expect(page).toHaveURL(/\/newsletter\/\d+$/);
  await expect(page.getByText(t('editions:state.sent'), { exact: true })).toBeVisible({ timeout: 30_000 });
  const onWeb = await page.getByRole('link', { name: t('editions:result.onWeb'), exact: true }).getAttribute('href');
  await page.goto(onWeb!);
  await expect(page.getByRole('heading', { name: 'La lata y la lluvia', exact: true })).toBeVisible();
  await expect(page.getByText('Hola, qué tal.')).toBeVisible();
});
