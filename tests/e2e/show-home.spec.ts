import { expect, test } from '@playwright/test';
import { logIn, words } from './journey';
import { idOf } from './pages';

const t = words('es');

test('the settings of a show are saved page by page, and a subscriber is noted and paused on their own page', async ({
  page,
}) => {
  await logIn(page, 'lucia@altavoz.example');
  const show = `/podcasts/${idOf('noches-de-taller')}`;
  await page.goto(show);
  const tabs = page.getByRole('navigation', { name: t('product:tabs.label') });
  await tabs.getByRole('link', { name: t('product:tabs.settings') }).click();
  const parts = page.getByRole('navigation', { name: t('product:settings.label') });

  await parts.getByRole('link', { name: t('product:settings.messages') }).click();
  await page.getByLabel(t('product:form.welcome')).fill('Bienvenido al taller.');
  await page.getByRole('button', { name: t('product:form.save'), exact: true }).click();
  await expect(page.getByText(t('studio:done.product_saved')).first()).toBeVisible();
  await parts.getByRole('link', { name: t('product:settings.price') }).click();
  await expect(page.getByText(/Te quedas con 3,58/)).toBeVisible();
  await page.getByLabel(t('product:feed.early')).fill('999');
  await page.getByRole('button', { name: t('product:form.save'), exact: true }).click();
  await expect(page.getByLabel(t('product:feed.early'))).toBeFocused();
  await page.goto(`${show}/settings/messages`);
  await expect(page.getByLabel(t('product:form.welcome'))).toHaveValue('Bienvenido al taller.');

  await tabs.getByRole('link', { name: t('product:tabs.subscribers') }).click();
  await page.getByRole('link', { name: 'Hugo Prat' }).click();
  await page.getByLabel(t('buyers:note.label')).fill('Escribe cartas.');
  await page.getByRole('button', { name: t('buyers:note.save') }).click();
  await expect(page.getByText(t('studio:done.note_saved')).first()).toBeVisible();
  await page.getByRole('button', { name: t('buyers:pause.end') }).click();
  await expect(page.getByText(t('studio:done.pause_ended')).first()).toBeVisible();
  await page.getByRole('button', { name: t('buyers:pause.start') }).click();
  await expect(page.getByText(t('studio:done.paused')).first()).toBeVisible();
  await expect(page.getByRole('button', { name: t('buyers:pause.end') })).toBeVisible();
});
