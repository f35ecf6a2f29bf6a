import { expect, type Page, test } from '@playwright/test';
import { isDeep } from '../support/deep';
import { AXE, findings } from './axe';
import { collectErrors } from './browser-errors';
import { pageChanges } from './changed-pages';
import { fillInPayer, logIn, payByCard } from './journey';
import { AWKWARD_STUDIO, LINKED_STUDIO, LISTENER, type LinkedPage, PAYING, PUBLIC, SELLER, STUDIO } from './pages';

const isChanged = pageChanges();
const pathOf = (page: string | LinkedPage) => (typeof page === 'string' ? page : page.on);
/**
 * A normal run checks every sixth page, because axe takes a second of CPU time for each. A full proof adds the pages
 * that the change touches, or all pages if the change is unknown.
 */
const sampleOf = <P extends string | LinkedPage>(pages: P[]): P[] =>
  pages.filter((page, number) => number % 6 === 0 || (isDeep && isChanged(pathOf(page))));

/** The studio has more than a hundred pages: several tests check them beside each other, and a slow one says where. */
const PAGES_PER_TEST = 25;
const partsOf = <P>(pages: P[]): P[][] =>
  Array.from({ length: Math.ceil(pages.length / PAGES_PER_TEST) }, (_, i) =>
    pages.slice(i * PAGES_PER_TEST, (i + 1) * PAGES_PER_TEST),
  );

/** A full proof also runs tests with this tag, with more pages and looks. */
const SAMPLED = { tag: '@sample' };

type Look = { colorScheme: 'light' | 'dark'; width: number };
/** A normal run shows each page on a phone, alternately light and dark, because the pages share their components. */
const looksOf = (number: number): Look[] => {
  const [one, other] = number % 2 ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  const phone = { colorScheme: one, width: 360 };
  return isDeep ? [phone, { colorScheme: other, width: 1280 }] : [phone];
};
/** The pause is longer than any transition. Waiting for the animations themselves never ends on some pages. */
const TRANSITION_MS = 400;

/** Shows the loaded page in another look, because loading it again takes as long as checking it. */
async function show(page: Page, { colorScheme, width }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height: 800 });
  await page.waitForFunction((scheme) => matchMedia(`(prefers-color-scheme: ${scheme})`).matches, colorScheme);
}

async function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
}

async function open(page: Page, path: string | LinkedPage): Promise<void> {
  if (typeof path === 'string') return void (await page.goto(path));
  await page.goto(path.on);
  const address = await page.locator(path.link).first().getAttribute('href');
  await page.goto(address!);
}

/** @returns the problems of a page in each look */
async function check(page: Page, number: number, arrive: () => Promise<void>): Promise<string[]> {
  const found: string[] = [];
  for (const [at, look] of looksOf(number).entries()) {
    await show(page, look);
    if (at === 0) {
      await arrive();
      await page.evaluate(() => window.startApp?.());
      await page.waitForLoadState('networkidle');
      // evaluate bypasses the page's content security policy
      await page.evaluate(AXE);
    } else {
      // colours in transition have less contrast
      await page.waitForTimeout(TRANSITION_MS);
    }
    const { pathname, search } = new URL(page.url());
    const place = `${pathname}${search} (${look.colorScheme}, ${look.width} px)`;
    if (await isTooWide(page)) found.push(`${place} is wider than the screen`);
    found.push(...(await findings(page)).map((finding) => `${place}: ${finding}`));
  }
  return found;
}

// on both sides of Greenwich: a page that renders a time differently from the server reports an error
for (const { name, email, paths, timezoneId } of [
  { name: 'public page', email: null, paths: PUBLIC, timezoneId: 'Asia/Kolkata' },
  {
    name: 'page of the studio',
    email: 'lucia@altavoz.example',
    paths: [...STUDIO, ...LINKED_STUDIO],
    timezoneId: 'America/Los_Angeles',
  },
  { name: 'page of a listener', email: 'eva@altavoz.example', paths: LISTENER, timezoneId: 'America/Los_Angeles' },
  { name: 'page of a seller', email: 'ada@altavoz.example', paths: SELLER, timezoneId: 'Asia/Kolkata' },
  {
    name: 'page of a studio with awkward texts',
    email: 'awkward@altavoz.example',
    paths: AWKWARD_STUDIO,
    timezoneId: 'Asia/Kolkata',
  },
]) {
  const parts = partsOf(sampleOf<string | LinkedPage>(paths));
  for (const [i, part] of parts.entries())
    test(
      `no ${name} reports an error, has a serious issue that axe finds, or is wider than the screen (${i + 1} of ${parts.length})`,
      SAMPLED,
      async ({ browser, baseURL }) => {
        // beside three other browsers, a page in two looks takes up to ten seconds
        test.setTimeout(300_000);
        const context = await browser.newContext({ timezoneId, locale: 'es-MX', baseURL });
        const page = await context.newPage();
        const errors = collectErrors(page);
        const found: string[] = [];
        if (email) await logIn(page, email);

        for (const [number, path] of part.entries()) found.push(...(await check(page, number, () => open(page, path))));

        expect(errors).toEqual([]);
        expect(found).toEqual([]);
      },
    );
}

async function pay(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await fillInPayer(page);
  await page.locator('#content form:has([name=email]) button[type=submit]').last().click();
  await payByCard(page);
  // the show with its feed, the gift's link, or the donation
  await expect(page.locator('.bought-show, .gift-link, .donation [role=status]')).toBeVisible();
}

test(
  'no page after a payment reports an error, has a serious issue that axe finds, or is wider than the screen',
  SAMPLED,
  async ({ browser, baseURL }) => {
    const found: string[] = [];
    for (const [number, path] of sampleOf(PAYING).entries()) {
      const context = await browser.newContext({ timezoneId: 'Asia/Kolkata', locale: 'es-MX', baseURL });
      const page = await context.newPage();
      const errors = collectErrors(page);
      found.push(...(await check(page, number, () => pay(page, path))), ...errors);
      await context.close();
    }

    expect(found).toEqual([]);
  },
);

test('without JavaScript, no public page is wider than a phone', { tag: '@deep' }, async ({ browser, baseURL }) => {
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
