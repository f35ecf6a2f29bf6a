import { expect, test } from '@playwright/test';
import { DEMO_PASSWORD } from '../../server/seed/cast';
import { AXE, findings } from './axe';
import { at, hydrated, logIn, register, words } from './journey';

const t = words('en');

test('a listener signs up from a show, plays it, and continues on another device after a log-in', async ({
  page,
  browser,
  baseURL,
}) => {
  const show = `http://staging-ada.${new URL(baseURL!).host}/en/p/lullabies`;
  const { email, password } = await register(page, 'en');
  await page.goto('/start/reason');
  await page.getByLabel(t('start:reason.listen')).check();
  await page.getByRole('button', { name: t('start:save') }).click();
  await expect(page).toHaveURL(/\/feed$/);

  await page.goto(show);
  await hydrated(page);
  await page.getByRole('button', { name: t('player:playEpisode', { name: 'For a satellite' }) }).click();
  const player = page.getByRole('region', { name: t('player:player') });
  await player.getByRole('button', { name: t('player:forward', { seconds: '30' }) }).click();
  const position = player.getByRole('slider', { name: t('player:progress') });
  await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThan(29);
  await player.getByRole('button', { name: t('player:pause'), exact: true }).click();

  const other = await (await browser.newContext()).newPage();
  await other.goto(show);
  await hydrated(other);
  await other.getByRole('link', { name: t('common:nav.login') }).click();
  await other.getByLabel(t('auth:field.email')).fill(email);
  await other.getByLabel(t('auth:field.password'), { exact: true }).fill(password);
  await other.getByRole('button', { name: t('auth:login.submit'), exact: true }).click();
  await expect(other).toHaveURL(show);
  await other.getByRole('button', { name: /^Your account/ }).click();
  await other
    .getByRole('link', { name: t('common:nav.feed') })
    .last()
    .click();
  const started = other.getByRole('region', { name: t('follow:mine.continue') });
  await expect(started.getByRole('link', { name: 'For a satellite' })).toBeVisible();
  await started.getByRole('button', { name: t('player:playEpisode', { name: 'For a satellite' }) }).click();
  const there = other.getByRole('region', { name: t('player:player') });
  const slider = there.getByRole('slider', { name: t('player:progress') });
  await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(29);
});

test('without JavaScript, the account menu opens, and an episode is marked as played', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await logIn(page, 'tom@altavoz.example');
  await page.goto(at('es', '/feed'));
  const es = words('es');

  await page.getByRole('button', { name: /^Tu cuenta/ }).click();
  await expect(page.getByRole('button', { name: es('common:nav.logout') })).toBeVisible();
  await page.keyboard.press('Escape');
  const row = page.getByRole('listitem').filter({ hasText: 'For those who stayed' });
  await row.locator('summary').click();
  await row.getByRole('button', { name: es('follow:mine.markPlayed') }).click();

  await expect(row.getByText(`✓ ${es('follow:mine.played')}`)).toBeVisible();
  await context.close();
});

test('episodes that were played are as legible as others, and subscriptions have a heading', async ({ page }) => {
  await logIn(page, 'tom@altavoz.example');
  await page.goto(at('en', '/feed'));
  await expect(page.getByText(`✓ ${t('follow:mine.played')}`).first()).toBeVisible();
  await page.evaluate(AXE);
  const onFeed = await findings(page);
  await page.goto(at('en', '/account/billing'));

  expect(onFeed).toEqual([]);
  const headings = page.locator('#content').getByRole('heading');
  await expect(headings.nth(1)).toHaveText(t('subscriptions:tabs.subscriptions'));
});

test('without JavaScript, a show of a creator leads to a page that logs out everywhere', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL });
  const page = await context.newPage();
  const es = words('es');
  const show = `http://staging-ada.${new URL(baseURL!).host}/es/p/lullabies`;
  await page.goto('/es/login');
  await page.getByLabel(es('auth:field.email')).fill('tom@altavoz.example');
  await page.getByLabel(es('auth:field.password'), { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: es('auth:login.submit'), exact: true }).click();
  await page.goto(show);

  await page.getByRole('button', { name: /^Tu cuenta/ }).click();
  await page.getByRole('link', { name: es('common:nav.logout') }).click();
  await expect(page.getByRole('heading', { name: es('auth:logout.title') })).toBeVisible();
  await page
    .getByRole('main')
    .getByRole('button', { name: es('common:nav.logout') })
    .click();

  await expect(page).toHaveURL(/\/es\/login$/);
  await page.goto(show);
  await expect(page.getByRole('link', { name: es('common:nav.login') })).toBeVisible();
  await context.close();
});
