import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { createProduct, hydrated, logIn, nameFor, register, words } from './journey';
import { idOf } from './pages';

const t = words('en');

/** A second cookie beside the session's own, as a manipulating user would set it. */
const plant = (context: BrowserContext, domain: string) =>
  context.addCookies([{ name: 'podcaster', value: '999', domain, path: '/' }]);
const namesOf = async (context: BrowserContext) => (await context.cookies()).map(({ name }) => name);
const isStorageEmpty = (page: Page) =>
  page.evaluate(async () => localStorage.length === 0 && (await indexedDB.databases()).length === 0);

test('from the registration to a shared page, with a break in between', async ({ page }) => {
  const began = Date.now();
  let clicks = 0;
  await page.exposeFunction('countClick', () => {
    clicks += 1;
  });
  await page.addInitScript(() => document.addEventListener('click', () => void window.countClick(), true));
  await register(page, 'en');
  await page.getByLabel(t('start:reason.sell')).check();
  await page.getByRole('button', { name: t('start:save') }).click();

  await expect(page.getByLabel(t('studio:creator.name'))).toHaveValue('Inés Prueba');
  await expect(page.getByLabel(t('studio:creator.domain'))).toHaveValue(/^ines-prueba/);
  await page.getByLabel(t('studio:creator.domain')).fill(nameFor('ines-'));
  await page.getByLabel(t('studio:creator.birthDate')).fill('1990-05-01');
  await page.getByRole('button', { name: t('studio:creator.claim') }).click();
  await expect(page).toHaveURL(/\/products\/create/);
  await page.goto('/start/about');
  await page.getByLabel(t('studio:creator.aboutText')).fill('I read the weather aloud.');
  // leaves the step; the studio's home resumes it, with the draft
  await page.goto('/dashboard');
  await page.getByRole('link', { name: t('start:step.about.action') }).click();
  await expect(page.getByLabel(t('studio:creator.aboutText'))).toHaveValue('I read the weather aloud.');
  await page.getByRole('button', { name: t('start:save') }).click();
  await expect(page).toHaveURL(/\/products\/create/);
  await createProduct(page, 'en', nameFor('Weather '));
  await page.getByRole('link', { name: t('studio:nav.home') }).click();
  await page.getByRole('link', { name: t('start:step.share.action') }).click();
  await page.getByRole('button', { name: t('start:share.done') }).click();

  await expect(page.getByText(t('studio:done.page_shared')).first()).toBeVisible();
  await expect(page.getByRole('navigation', { name: t('start:list') })).toHaveCount(0);
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  test.info().annotations.push({ type: 'journey', description: `${clicks} clicks, ${seconds} s` });
  expect(clicks).toBeLessThanOrEqual(20);
});

test('a second podcaster cookie logs out on the next route change, and clears cookies and storage', {
  tag: '@deep',
}, async ({ page, context }) => {
  await logIn(page, 'ada@altavoz.example');
  await page.goto('/dashboard');
  const [token] = (await context.cookies()).filter(({ name }) => name === 'token');
  await page.evaluate(() => {
    localStorage.setItem('draft', 'secret');
    indexedDB.open('altavoz-uploads');
  });
  const { hostname } = new URL(page.url());
  // waits for the requests of the starting page, because any request with both cookies logs out
  await hydrated(page);
  await page.waitForLoadState('networkidle');
  await plant(context, `.${hostname}`);
  await context.addCookies([{ name: 'podcaster', value: '7', url: page.url() }]);

  await page.getByRole('link', { name: t('studio:nav.products') }).click();

  await expect(page).toHaveURL(/\/login\?notice=security$/);
  await expect(page.getByText('Logout for security purpose')).toBeVisible();
  await expect.poll(() => isStorageEmpty(page)).toBe(true);
  expect((await namesOf(context)).filter((name) => name !== 'signed_out')).toEqual([]);
  await context.addCookies([token!]);
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/login/);
});

test('two podcaster cookies end the session on a creator’s host too, and do not loop', { tag: '@deep' }, async ({
  page,
  context,
}) => {
  await logIn(page, 'ada@altavoz.example');
  const { host } = new URL(page.url());
  const creator = `http://staging-lucia.${host}`;
  await page.goto(creator);
  await hydrated(page);
  await context.addCookies([{ name: 'podcaster', value: '7', url: creator }]);

  await page.getByRole('link', { name: 'Postales sonoras' }).first().click();

  await expect(page).toHaveURL(/\/login\?notice=security$/);
  expect((await namesOf(context)).filter((name) => name !== 'signed_out')).toEqual([]);
});

test('a log-out clears the stored data; a session that has ended keeps the text for the next log-in', async ({
  page,
  context,
}) => {
  await logIn(page, 'ada@altavoz.example');
  const id = idOf('lullabies');
  await page.goto(`/podcasts/${id}/settings`);
  await page.getByLabel(t('product:form.name'), { exact: true }).fill('Half a name');
  const { origin } = new URL(page.url());
  await context.clearCookies({ name: 'token' });

  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await expect(page).toHaveURL(`${origin}/login?next=%2Fpodcasts%2F${id}%2Fsettings`);
  await logIn(page, 'ada@altavoz.example');
  await page.goto(`/podcasts/${id}/settings`);
  await expect(page.getByLabel(t('product:form.name'), { exact: true })).toHaveValue('Half a name');
  await page.getByRole('button', { name: t('studio:nav.logout') }).click();

  await expect(page).toHaveURL(/\/login$/);
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0);
});

declare global {
  interface Window {
    countClick(): Promise<void>;
  }
}
