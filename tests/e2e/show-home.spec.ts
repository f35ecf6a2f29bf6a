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

test('menus at the top of pages open within the screen of a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await logIn(page, 'lucia@altavoz.example');
  const show = `/podcasts/${idOf('noches-de-taller')}`;

  for (const [path, menus] of [
    ['/dashboard', 1],
    [show, 1],
    [`${show}/episodes/2`, 2],
  ] as const) {
    await page.goto(path);
    const buttons = page.locator('main header details[data-align="end"] > summary');
    await expect(buttons).toHaveCount(menus);
    for (const button of await buttons.all()) {
      await button.click();
      const panel = page.locator('main details[open][data-align="end"] > div');
      const { x, width } = (await panel.boundingBox())!;
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(360);
      await page.keyboard.press('Escape');
    }
  }
});

test('on a phone, an episode has its date, length and plays in one line, and Home its figures in pairs', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await logIn(page, 'lucia@altavoz.example');
  await page.goto(`/podcasts/${idOf('noches-de-taller')}`);
  const tops = (items: string) =>
    page.locator(items).evaluateAll((all) => all.map((item) => Math.round(item.getBoundingClientRect().top)));
  const line = await tops('main tbody tr:first-child td[data-label]');
  expect(line).toHaveLength(3);
  expect(new Set(line).size).toBe(1);

  await page.goto('/dashboard');
  const [one, two, three, four] = await tops('main section dl:has(> :nth-child(4)):not(:has(> :nth-child(5))) > div');
  expect([one, three]).toEqual([two, four]);
  expect(three).toBeGreaterThan(one!);
});
