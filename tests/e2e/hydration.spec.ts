import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, type Page, test } from '@playwright/test';
import { collectErrors } from './browser-errors';
import { logIn, words } from './journey';
import { PUBLIC, STUDIO } from './pages';

const t = words('en');
/**
 * Compressed bytes that a visitor's first page may load, and the limit once an episode plays (decision 0170). Pages are
 * compressed when they are sent, and assets with Brotli by the build.
 */
const BUDGET = { script: 20_000, scriptInUse: 95_000, style: 20_000 };

/** Collects the compressed bytes of the scripts and styles that the page requests. */
function measureAssets(page: Page): (exceptPaths?: string[]) => Promise<{ script: number; style: number }> {
  const bodies: Promise<{ url: string; bytes: number }>[] = [];
  page.on('requestfinished', (request) => {
    const url = request.url();
    if (!/\/assets\/.*\.(?:js|css)$/.test(url)) return;
    const body = request.response().then((response) => response!.body());
    bodies.push(body.then((bytes) => ({ url, bytes: brotliCompressSync(bytes).length })));
  });
  return async (exceptPaths = []) => {
    const found = (await Promise.all(bodies)).filter(({ url }) => !exceptPaths.includes(new URL(url).pathname));
    const sum = (ending: string) =>
      found.filter(({ url }) => url.endsWith(ending)).reduce((total, { bytes }) => total + bytes, 0);
    return { script: sum('.js'), style: sum('.css') };
  };
}

/** The files that the page loads once it is used (app/lib/late-scripts.server.ts). */
const listOwnCode = async (page: Page) =>
  ((await page.locator('script[data-later]').getAttribute('data-later')) ?? '').split(' ');

/**
 * The code of other pages, which the app loads in advance after some seconds (app/lib/preload-routes.ts), and when the
 * pointer rests on a link. On a busy machine, both happen before the player is there.
 */
async function codeOfOtherPages(page: Page, own: string[]): Promise<string[]> {
  const preloads = page.locator('link[rel=modulepreload]');
  const paths = await preloads.evaluateAll((links) => links.map((link) => link.getAttribute('href')!));
  return paths.filter((path) => !own.includes(path));
}

/** The compressed bytes of the inline scripts, including those with the page's data. */
async function inlineScripts(page: Page): Promise<number> {
  const texts = await page.locator('script:not([src], [type])').allTextContents();
  return texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
}

for (const path of ['', '/p/lullabies', '/p/lullabies/for-a-satellite']) {
  test(`a first visit loads at most 20 KB of JavaScript, and 95 KB once it plays (${path || '/'})`, {
    tag: path === '/p/lullabies' ? [] : '@deep',
  }, async ({ page, baseURL }) => {
    const measured = measureAssets(page);
    await page.goto(`http://staging-ada.${new URL(baseURL!).host}/en${path}`, { waitUntil: 'networkidle' });
    const own = await listOwnCode(page);
    const first = await measured();
    const inline = await inlineScripts(page);

    await page.locator('button[data-play]').first().click();
    await expect(page.getByRole('region', { name: t('player:player') })).toBeVisible();
    const inUse = await measured(await codeOfOtherPages(page, own));

    expect(first.script + inline).toBeLessThanOrEqual(BUDGET.script);
    expect(first.style).toBeLessThanOrEqual(BUDGET.style);
    expect(inUse.script).toBeLessThanOrEqual(BUDGET.scriptInUse);
  });
}

const SHOWN = ['', '/p/lullabies', '/p/lullabies/for-a-satellite'];

for (const width of [390, 1280]) {
  test(`pictures are loaded at the size at which they are shown, and nothing moves (${width} px)`, {
    tag: width === 390 ? [] : '@deep',
  }, async ({ page, baseURL }) => {
    await page.setViewportSize({ width, height: 844 });
    for (const path of SHOWN) {
      await page.goto(`http://staging-ada.${new URL(baseURL!).host}/en${path}`, { waitUntil: 'networkidle' });
      const pictures = await page.locator('img').evaluateAll((all: HTMLImageElement[]) =>
        all.map((img) => ({
          file: img.currentSrc,
          timesTooWide: Number(/(\d+)\.webp$/.exec(img.currentSrc)?.[1] ?? 0) / img.clientWidth,
          reserves: img.hasAttribute('width') && img.hasAttribute('height'),
          waits: img.loading === 'lazy' || img.getBoundingClientRect().top < innerHeight,
        })),
      );
      const shift = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            let sum = 0;
            const add = (list: PerformanceObserverEntryList) =>
              list.getEntries().forEach((entry) => {
                sum += (entry as PerformanceEntry & { value: number }).value;
              });
            new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
            setTimeout(() => resolve(sum), 100);
          }),
      );

      // phones have up to three pixels per CSS pixel
      // the browser uses a file that it has already for a larger picture of the same cover
      const isLoadedAnyway = (file: string) => pictures.some((one) => one.file === file && one.timesTooWide <= 3);
      const wrong = pictures.filter(
        ({ file, timesTooWide, reserves, waits }) => (timesTooWide > 3 && !isLoadedAnyway(file)) || !reserves || !waits,
      );
      expect([path, wrong]).toEqual([path, []]);
      // with some fonts, a line is a fraction of a pixel higher once it is drawn; browsers report 0.000
      expect([path, shift.toFixed(3)]).toEqual([path, '0.000']);
    }
  });
}

/** How many milliseconds after its first content the page asked for the display font. */
const fontDelay = (page: Page) =>
  page.evaluate(() => {
    const [painted] = performance.getEntriesByName('first-contentful-paint');
    const files = performance.getEntriesByType('resource').filter(({ name }) => /bricolage.*\.woff2$/.test(name));
    return Math.min(...files.map(({ startTime }) => startTime)) - painted!.startTime;
  });

test('on a phone without JavaScript, the home page is no wider than the phone', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 800 } });
  const page = await context.newPage();
  await page.goto(`${baseURL}/es`);
  const client = await context.newCDPSession(page);

  const { cssContentSize } = await client.send('Page.getLayoutMetrics');

  expect(cssContentSize.width).toBe(360);
  await context.close();
});

test('a page of the site is painted without a second request, and looks the same once its app runs', async ({
  page,
}) => {
  const errors = collectErrors(page);
  const sheets: string[] = [];
  page.on('request', (request) => void (request.resourceType() === 'stylesheet' && sheets.push(request.url())));
  const look = () =>
    page.evaluate(() => {
      const { fontFamily, fontSize, color } = getComputedStyle(document.querySelector('h1')!);
      return { fontFamily, fontSize, color, height: document.body.scrollHeight };
    });

  await page.goto('/en/pricing', { waitUntil: 'networkidle' });
  const painted = await look();
  expect(sheets).toEqual([]);
  expect(await fontDelay(page)).toBeGreaterThanOrEqual(0);
  await page.evaluate(() => window.startApp?.());

  await expect(page.locator('style[data-inlined]')).toHaveCount(0);
  await page.waitForLoadState('networkidle');
  expect(await look()).toEqual(painted);
  expect(painted.fontFamily).toMatch(/^"?Bricolage"?,/);
  expect(sheets).toHaveLength(1);
  expect(errors).toEqual([]);
});

test('a click sounds at once, and the player takes the sound over when its code has arrived', async ({
  page,
  baseURL,
}) => {
  const errors = collectErrors(page);
  let sendCode = () => {};
  const codeMayCome = new Promise<void>((resolve) => (sendCode = resolve));
  await page.route(/\/assets\/.*\.js$/, (route) => codeMayCome.then(() => route.continue()));
  await page.goto(`http://staging-ada.${new URL(baseURL!).host}/en/p/lullabies`);
  const early = () => page.evaluate(() => window.earlyPlay?.audio.currentTime ?? 0);
  const player = page.getByRole('region', { name: t('player:player') });

  await page.getByRole('button', { name: t('player:playEpisode', { name: 'For a satellite' }) }).click();
  await expect.poll(early).toBeGreaterThan(1);
  // an ordinary click would load a new page and stop the sound
  await page.getByRole('link', { name: 'For a lighthouse' }).first().click();
  const before = await early();
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  sendCode();

  await expect(page.getByRole('heading', { level: 1, name: 'For a lighthouse' })).toBeVisible();
  await expect(player.getByText('For a satellite').first()).toBeVisible();
  const seconds = async () => Number(await player.getByRole('slider', { name: t('player:progress') }).inputValue());
  await expect.poll(seconds).toBeGreaterThan(before);
  expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
  expect(errors).toEqual([]);
});

test('a second click pauses before the player is there, which then shows the paused episode', { tag: '@deep' }, async ({
  page,
  baseURL,
}) => {
  let sendCode = () => {};
  const codeMayCome = new Promise<void>((resolve) => (sendCode = resolve));
  await page.route(/\/assets\/.*\.js$/, (route) => codeMayCome.then(() => route.continue()));
  await page.goto(`http://staging-ada.${new URL(baseURL!).host}/en/p/lullabies`);
  const button = page.getByRole('button', { name: t('player:playEpisode', { name: 'For a satellite' }) });
  await button.click();
  await expect(button).toHaveAttribute('data-playing', 'true');

  await button.click();
  sendCode();

  const player = page.getByRole('region', { name: t('player:player') });
  await expect(player.getByRole('button', { name: t('player:play'), exact: true })).toBeVisible();
});

test('without a player, links load pages, and a button waits for its code', { tag: '@deep' }, async ({
  page,
  baseURL,
}) => {
  await page.goto(`http://staging-ada.${new URL(baseURL!).host}/en`);
  await page.getByRole('link', { name: 'Lullabies' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await page.evaluate(() => 'playerReady' in window)).toBe(false);

  await page.getByRole('button', { name: t('public:listenInApp.title') }).click();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: t('public:listenInApp.copy') }).click();

  await expect(page.getByText(t('public:listenInApp.copied'))).toBeVisible();
});

// a normal run visits each page once, on one side of Greenwich (accessibility.spec.ts)
test('no page reports an error in browsers on the other side of Greenwich', { tag: '@deep' }, async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(300_000);
  const west = await browser.newContext({ timezoneId: 'America/Los_Angeles', locale: 'es-MX', baseURL });
  const east = await browser.newContext({ timezoneId: 'Asia/Kolkata', locale: 'es-MX', baseURL });
  const [visitor, creator] = [await west.newPage(), await east.newPage()];
  const errors = [collectErrors(visitor), collectErrors(creator)];

  for (const path of PUBLIC) {
    await visitor.goto(path);
    await visitor.evaluate(() => window.startApp?.());
    await visitor.waitForLoadState('networkidle');
  }
  await logIn(creator, 'lucia@altavoz.example');
  for (const path of STUDIO) await creator.goto(path, { waitUntil: 'networkidle' });

  expect(errors).toEqual([[], []]);
});
