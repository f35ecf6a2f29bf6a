import fs from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page, test } from '@playwright/test';
import { logIn } from './journey';
import { AWKWARD_STUDIO, PUBLIC, STUDIO } from './pages';

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

for (const { scheme, width } of [
  { scheme: 'light', width: 360 },
  { scheme: 'dark', width: 1280 },
] as const) {
  test(`axe finds no serious issues, and no page is wider than the screen (${scheme}, ${width} px)`, async ({
    browser,
    baseURL,
  }) => {
    test.setTimeout(180_000);
    const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height: 800 } });
    const page = await context.newPage();
    const found: string[] = [];
    const look = async (path: string) => {
      await page.goto(`${baseURL}${path}`, { waitUntil: 'networkidle' });
      found.push(...(await findings(page)));
      if (await isTooWide(page)) found.push(`${path} is wider than the screen`);
    };

    for (const path of PUBLIC) await look(path);
    await logIn(page, 'lucia@altavoz.example');
    for (const path of STUDIO) await look(path);
    await context.clearCookies();
    await logIn(page, 'awkward@altavoz.example');
    for (const path of AWKWARD_STUDIO) await look(path);

    expect(found).toEqual([]);
  });
}

test('without JavaScript, no public page is wider than a phone', async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 360, height: 800 },
    baseURL,
  });
  const page = await context.newPage();
  const tooWide: string[] = [];

  for (const path of PUBLIC) {
    await page.goto(path);
    if (await isTooWide(page)) tooWide.push(path);
  }

  expect(tooWide).toEqual([]);
});
