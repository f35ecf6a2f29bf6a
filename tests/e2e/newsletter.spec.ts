import { expect, type Page, test } from '@playwright/test';
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
  const steps = page.getByRole('navigation', { name: t('editions:step.label') });
  const step = (name: string) => steps.getByRole('link', { name: t(`editions:step.${name}`), exact: true });
  const audience = page.getByLabel(t('editions:field.audience'), { exact: true });
  const send = page.getByRole('button', { name: /^Enviar ahora a \d+ personas$/ });
  await step('review').click();
  const toEveryone = (await send.textContent())!;
  await step('audience').click();
  // a click on a step does not wait until the choice is saved, and still shows it, also if it is saved while the step loads
  const saved = page.waitForResponse(/editions\.update/);
  await page.route(/\/newsletter\/edit\/.*step=review/, async (route) => {
    // Node does not know the name of the host
    const url = new URL(route.request().url());
    const headers = { ...(await route.request().allHeaders()), host: url.host };
    const response = await route.fetch({ url: `http://127.0.0.1:${url.port}${url.pathname}${url.search}`, headers });
    await saved;
    await route.fulfill({ response });
  });
  await audience.selectOption('tag:VIP');
  await step('review').click();
  await expect(send).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' });
  await expect(send).not.toHaveText(toEveryone);
  await step('audience').click();
  await expect(audience).toHaveValue('tag:VIP');
  await page.getByRole('button', { name: t('editions:next'), exact: true }).click();
  await expect(page).toHaveURL(/step=seo/);
  await page.getByRole('button', { name: t('editions:next'), exact: true }).click();
  await expect(page).toHaveURL(/step=review/);
  await send.click();

  await expect(page).toHaveURL(/\/newsletter\/\d+$/);
  await expect(page.getByText(t('editions:state.sent'), { exact: true })).toBeVisible({ timeout: 30_000 });
  const onWeb = await page.getByRole('link', { name: t('editions:result.onWeb'), exact: true }).getAttribute('href');
  await page.goto(onWeb!);
  await expect(page.getByRole('heading', { name: 'La lata y la lluvia', exact: true })).toBeVisible();
  await expect(page.getByText('Hola, qué tal.')).toBeVisible();
});

test('a window learns that another one has saved, and the writer decides which text stays', async ({ page }) => {
  await logIn(page, 'lucia@altavoz.example');
  await page.goto('/newsletter/create');
  await hydrated(page);
  await page.getByRole('button', { name: t('editions:create.start'), exact: true }).click();
  await expect(page).toHaveURL(/\/newsletter\/edit\/\d+/);
  await hydrated(page);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await hydrated(other);
  const titleIn = (window: Page) => window.getByRole('textbox', { name: t('editions:field.title'), exact: true });
  const warningIn = (window: Page) => window.getByText(t('editions:changedElsewhere'), { exact: true });

  await titleIn(other).fill('Texto de la otra');
  await expect(other.getByText(t('editions:saved'), { exact: true })).toBeVisible();
  await expect(warningIn(page)).toBeVisible({ timeout: 20_000 });
  await titleIn(page).fill('Texto de esta');
  await page.getByRole('button', { name: t('editions:keepMine'), exact: true }).click();
  await expect(page.getByText(t('editions:saved'), { exact: true })).toBeVisible();

  await expect(warningIn(other)).toBeVisible({ timeout: 20_000 });
  await other.getByRole('button', { name: t('editions:takeTheirs'), exact: true }).click();
  await expect(titleIn(other)).toHaveValue('Texto de esta');
  await expect(warningIn(other)).toBeHidden();
  await expect(other.getByRole('listitem').getByText('Texto de la otra').first()).toBeVisible();
});
