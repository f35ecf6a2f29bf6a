import { expect, test } from '@playwright/test';
import { AXE, findings } from './axe';
import { collectErrors } from './browser-errors';
import { createProduct, hydrated, nameFor, newCreator, publishEpisode, words } from './journey';
import { becomeOperator, button } from './operator';
import { OPERATOR } from './pages';

const t = words('en');

test('an operator finds an account, suspends and restores it, and retries what has failed, on a phone', {
  tag: '@deep',
}, async ({ browser }) => {
  const person = await newCreator(await (await browser.newContext()).newPage());
  const page = await (await browser.newContext({ viewport: { width: 360, height: 800 } })).newPage();
  const errors = collectErrors(page);
  await becomeOperator(page);

  await page.goto('/admin');
  await hydrated(page);
  await page.getByLabel(t('admin:overview.search')).fill(person.email.slice(0, -5));
  await page
    .locator('#content')
    .getByRole('button', { name: t('admin:search') })
    .click();
  await page.getByRole('link', { name: person.email }).click();
  await page.getByText(t('admin:users.suspendTitle')).click();
  await page.getByLabel(t('admin:reason')).fill('Spam');
  await button(page, 'admin:users.suspend').click();
  await expect(page.getByText(t('admin:operations.actions.users.suspended'))).toBeVisible();
  await page.evaluate(AXE);
  expect(await findings(page)).toEqual([]);
  await button(page, 'admin:users.unsuspend').click();
  await expect(page.getByText(t('admin:operations.actions.users.unsuspended'))).toBeVisible();

  const isTooWide = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  for (const path of OPERATOR) {
    await page.goto(path);
    expect(await isTooWide(), path).toBe(false);
    await page.evaluate(AXE);
    expect(await findings(page), path).toEqual([]);
  }
  await page.goto('/admin/mail');
  await page.getByRole('button', { name: t('admin:mail.resendTo', { to: 'old-address@mail.example' }) }).click();
  await expect(page.getByText('old-address@mail.example')).toBeHidden();
  expect(errors).toEqual([]);
});

test('an episode is reported without an account and JavaScript, taken down with a notice, and restored', async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const creator = await (await browser.newContext()).newPage();
  const { domain } = await newCreator(creator);
  const [show, episode] = [nameFor('Copias '), nameFor('Copiado ')];
  await createProduct(creator, 'en', show);
  await publishEpisode(creator, 'en', episode, 5);

  const visitor = await (await browser.newContext({ javaScriptEnabled: false, locale: 'en' })).newPage();
  await visitor.goto(`/@${domain}`);
  await visitor.getByRole('link', { name: episode }).first().click();
  const publicPage = visitor.url();
  await visitor.getByRole('link', { name: t('common:footer.report'), exact: true }).click();
  await expect(visitor.getByText(episode, { exact: true })).toBeVisible();
  await visitor.getByLabel(t('contact:report.reason')).selectOption('copyright');
  await visitor.getByLabel(t('contact:report.text')).fill('I published it in May.');
  await visitor.getByLabel(t('contact:report.goodFaith')).check();
  await visitor.getByRole('button', { name: t('contact:report.submit') }).click();
  await expect(visitor.getByRole('heading', { name: t('contact:report.sent') })).toBeVisible();

  const page = await (await browser.newContext()).newPage();
  const errors = collectErrors(page);
  await becomeOperator(page);
  await page.goto('/admin/reports');
  await hydrated(page);
  await page.getByRole('link', { name: t('admin:reports.takeDownOf', { name: episode }) }).click();
  await page.getByLabel(t('admin:takeDowns.ground')).selectOption('law');
  await page.getByLabel(t('admin:reason')).fill('Copied from somebody else');
  await button(page, 'admin:takeDowns.submit').click();
  const restore = page.getByRole('button', { name: t('admin:takeDowns.restoreOne', { name: episode }) });
  await expect(restore).toBeVisible();

  await expect.poll(async () => (await visitor.goto(publicPage))?.status()).toBe(451);
  await creator.reload();
  await expect(creator.getByText('Copied from somebody else')).toBeVisible();
  await page.goto('/admin/reports');
  await expect(page.getByText(t('admin:reports.states.upheld')).first()).toBeVisible();
  await page.goto('/admin/take-downs');
  await hydrated(page);
  await restore.click();
  await expect(restore).toBeHidden();
  await expect.poll(async () => (await visitor.goto(publicPage))?.status()).toBe(200);
  expect(errors).toEqual([]);
});
