import { expect, type Page, test } from '@playwright/test';
import { isDeep } from '../support/deep';
import { AXE, findings } from './axe';
import { collectErrors } from './browser-errors';
import { logIn } from './journey';
import { AWKWARD_STUDIO, PUBLIC, STUDIO } from './pages';

const LOOKS = [
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 1280 },
] as const;
type Look = (typeof LOOKS)[number];
/** Longer than any transition. Waiting for the animations themselves never ends on some pages. */
const TRANSITION_MS = 400;

/** Shows the loaded page in another look, because loading it again takes as long as checking it. */
async function show(page: Page, { colorScheme, width }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height: 800 });
  await page.waitForFunction((scheme) => matchMedia(`(prefers-color-scheme: ${scheme})`).matches, colorScheme);
  // colours in transition have less contrast
  await page.waitForTimeout(TRANSITION_MS);
}

async function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
}

for (const { name, email, paths } of [
  { name: 'public page', email: null, paths: PUBLIC },
  { name: 'page of the studio', email: 'lucia@altavoz.example', paths: STUDIO },
  { name: 'page of a studio with awkward texts', email: 'awkward@altavoz.example', paths: AWKWARD_STUDIO },
]) {
  test(`no ${name} reports an error, has a serious issue that axe finds, or is wider than the screen`, async ({
    browser,
    baseURL,
  }) => {
    test.setTimeout(300_000);
    const context = await browser.newContext({ timezoneId: 'America/Los_Angeles', locale: 'es-MX', baseURL });
    const page = await context.newPage();
    const errors = collectErrors(page);
    const found: string[] = [];
    if (email) await logIn(page, email);

    for (const [number, path] of paths.entries()) {
      await show(page, LOOKS[number % 2]!);
      await page.goto(path, { waitUntil: 'networkidle' });
      // evaluate bypasses the page's content security policy
      await page.evaluate(AXE);
      // the pages share their components, so a normal run checks them in turn light and dark; the width of each twice
      for (const [at, look] of [LOOKS[number % 2]!, LOOKS[(number + 1) % 2]!].entries()) {
        if (at > 0) await show(page, look);
        const place = `${path} (${look.colorScheme}, ${look.width} px)`;
        if (await isTooWide(page)) found.push(`${place} is wider than the screen`);
        if (at === 0 || isDeep) found.push(...(await findings(page)).map((finding) => `${place}: ${finding}`));
      }
    }

    expect(errors).toEqual([]);
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
