import fs from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page, test } from '@playwright/test';
import { DEMO_LOGINS } from '../../server/seed/cast';
import { words } from './journey';

const AXE = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Finding = { id: string; impact: string; nodes: { target: string[] }[] };

/** The serious and critical issues that axe finds on the page. */
async function findings(page: Page): Promise<string[]> {
  // evaluate bypasses the page's content security policy
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: { run(): Promise<{ violations: Finding[] }> } }).axe.run(),
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${page.url()}: ${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

async function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
}

const PUBLIC = [
  '/',
  '/es',
  '/login',
  '/es/register',
  '/@ada',
  '/es/@lucia/p/postales-sonoras',
  '/@ada/p/lullabies/for-a-satellite',
  '/nowhere',
];
const STUDIO = [
  '/dashboard',
  '/es/products',
  '/products/create',
  '/creator-page',
  '/podcasts/1',
  '/es/podcasts/1/episodes/create',
  '/podcasts/1/episodes/2',
];

for (const { scheme, width } of [
  { scheme: 'light', width: 360 },
  { scheme: 'dark', width: 1280 },
] as const) {
  test(`axe finds no serious issues, and no page is wider than the screen (${scheme}, ${width} px)`, async ({
    browser,
    baseURL,
  }) => {
    test.setTimeout(120_000);
    const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height: 800 } });
    const page = await context.newPage();
    const t = words('en');
    const found: string[] = [];
    const look = async (path: string) => {
      await page.goto(`${baseURL}${path}`, { waitUntil: 'networkidle' });
      found.push(...(await findings(page)));
      if (await isTooWide(page)) found.push(`${path} is wider than the screen`);
    };

    for (const path of PUBLIC) await look(path);
    await page.goto(`${baseURL}/login`);
    await page.getByLabel(t('auth:field.email')).fill(DEMO_LOGINS[0]!.email);
    await page.getByLabel(t('auth:field.password'), { exact: true }).fill(DEMO_LOGINS[0]!.password);
    await page.getByRole('button', { name: t('auth:login.submit') }).click();
    await expect(page).toHaveURL(/dashboard/);
    for (const path of STUDIO) await look(path);

    expect(found).toEqual([]);
  });
}
