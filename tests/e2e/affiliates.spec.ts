import { expect, type Page, test } from '@playwright/test';
import { hydrated, newCreator, words } from './journey';

const t = words('en');
const PERSON =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const LINK = /[\w.:]+\/\?ref=[a-z0-9-]+/;

const figuresOf = (page: Page, name: string) => page.locator(`tbody tr:first-child td[data-label="${name}"]`);

test('a creator joins and shares a link, and sees the visit, the sign-up and the share of the plan that it brings', async ({
  page,
  browser,
}) => {
  await newCreator(page);
  await page.goto('/affiliate-program');
  await page
    .getByRole('link', { name: t('affiliates:site.join') })
    .first()
    .click();
  await page.getByRole('button', { name: t('affiliates:join') }).click();
  await expect(page.getByRole('heading', { name: t('affiliates:links') })).toBeVisible();
  const [address] = LINK.exec((await page.locator('tbody').textContent()) ?? '')!;

  const context = await browser.newContext({ userAgent: PERSON });
  const visitor = await context.newPage();
  await visitor.goto(new URL(`/pricing${address!.slice(address!.indexOf('?'))}`, page.url()).href);
  await expect(visitor).toHaveURL(/\/pricing$/);
  await newCreator(visitor);
  await visitor.goto('/plans?plan=BASIC');
  await visitor.getByRole('button', { name: t('plans:change.payPage') }).click();
  await visitor.getByLabel('Card number').fill('4242 4242 4242 4242');
  await visitor.locator('button[name=step][value=pay], button[type=submit]').first().click();
  await expect(visitor.getByRole('dialog', { name: t('plans:started.title') })).toBeVisible();
  await context.close();

  await expect(async () => {
    await page.reload();
    await expect(figuresOf(page, t('affiliates:pending'))).toHaveText(/€1\.\d\d/, { timeout: 1000 });
  }).toPass();
  await expect(figuresOf(page, t('affiliates:visits'))).toHaveText('1');
  await expect(figuresOf(page, t('affiliates:signUps'))).toHaveText('1');
  await expect(figuresOf(page, t('affiliates:plans'))).toHaveText('1');
});

test('a link with a name of its own is added, and a code that another link has is refused', async ({ page }) => {
  await newCreator(page);
  await page.goto('/affiliates');
  await hydrated(page);
  await page.getByRole('button', { name: t('affiliates:join') }).click();
  await expect(page).toHaveURL(/\/affiliates$/);
  await expect(page.getByRole('heading', { name: t('affiliates:links') })).toBeVisible();
  const [address] = LINK.exec((await page.locator('tbody').textContent()) ?? '')!;
  const code = address!.slice(address!.indexOf('=') + 1);

  await page.getByLabel(t('affiliates:name'), { exact: true }).fill('Newsletter');
  await page.getByLabel(t('affiliates:code'), { exact: true }).fill(code);
  await page.getByRole('button', { name: t('affiliates:submit') }).click();
  await expect(page.getByText(t('errors:affiliate.code_taken'))).toBeVisible();
  await page.getByLabel(t('affiliates:code'), { exact: true }).fill(`${code.slice(0, 26)}-news`);
  await page.getByRole('button', { name: t('affiliates:submit') }).click();

  await expect(page.getByRole('row', { name: /Newsletter/ })).toContainText(`?ref=${code.slice(0, 26)}-news`);
});
