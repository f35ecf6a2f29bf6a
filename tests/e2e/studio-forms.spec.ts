import { expect, type Locator, test } from '@playwright/test';
import sharp from 'sharp';
import { mp3 } from '../support/mp3';
import { slowLine } from '../support/slow-line';
import { createProduct, hold, hydrated, logIn, nameFor, newCreator, register, words } from './journey';
import { idOf } from './pages';

const t = words('en');

const square = async (side: number) => ({
  name: 'square.jpg',
  mimeType: 'image/jpeg',
  buffer: await sharp({
    create: {
      width: side,
      height: side,
      channels: 3,
      background: '#274F94',
      noise: { type: 'gaussian', mean: 120, sigma: 60 },
    },
  })
    .jpeg({ quality: 50 })
    .toBuffer(),
});

/** The visible elements that the toast covers, once it has moved into place. */
async function overlapOf(toast: Locator, others: Locator): Promise<string[]> {
  const box = await toast.boundingBox();
  if (!box) return ['no toast'];
  const covered: string[] = [];
  for (const other of await others.all()) {
    const area = (await other.isVisible()) && (await other.boundingBox());
    if (!area) continue;
    const isBeside = area.x >= box.x + box.width || box.x >= area.x + area.width;
    const isAbove = area.y >= box.y + box.height || box.y >= area.y + area.height;
    if (!isBeside && !isAbove) covered.push(await other.evaluate((element) => element.className));
  }
  return covered;
}

test('a square cover needs no crop, must be large enough, and “Create” waits for its upload', { tag: '@deep' }, async ({
  page,
  baseURL,
}) => {
  const line = await slowLine(Number(new URL(baseURL!).port), 100_000_000);
  await newCreator(page);
  await page.goto(`http://altavoz.localhost:${line.port}/products/create`);
  const name = nameFor('Waits ');
  await page.getByLabel(t('product:form.name'), { exact: true }).fill(name);
  await page.getByLabel(t('product:form.description')).fill('Waits for its cover.');
  await page.getByLabel(t('product:form.category')).selectOption('100');
  line.bytesPerSecond = 150_000;
  const cover = page.locator('input[type=file]').first();

  await cover.setInputFiles(await square(600));
  await expect(page.getByText(t('errors:media.too_small', { min: '1400' }))).toBeVisible();
  await cover.setInputFiles(await square(1400));
  // the file is stored for the reload before its upload starts
  await expect(page.getByText(/[1-9]\d*\s?%/).first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole('img', { name: t('studio:picture.alt') })).toBeVisible();
  await page.getByRole('button', { name: t('product:form.create'), exact: true }).click();
  await expect(page.getByText(/Waiting for the upload/)).toBeVisible();
  line.bytesPerSecond = 100_000_000;

  await expect(page.getByRole('heading', { name: t('episode:create.title') })).toBeVisible();
  const toast = page
    .getByRole('status')
    .filter({ hasText: t('studio:done.product_created') })
    .first();
  await toast.hover();
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => overlapOf(toast, page.locator('header:not(main header), nav')), `${width} px`).toEqual([]);
  }
  await page.getByRole('link', { name, exact: true }).first().click();
  await page
    .getByRole('navigation', { name: t('product:tabs.label') })
    .getByRole('link', { name: t('product:tabs.settings') })
    .click();
  await expect(page.getByText(/Apple Podcasts will refuse it/)).toHaveCount(0);
  await line.close();
});

test('an audio series is sold once, for the price that its page shows', async ({ page }) => {
  const { domain } = await newCreator(page);
  const name = nameFor('Sold ');
  await createProduct(page, 'en', name, '12.50');

  await page.goto(`/@${domain}/p/${name.toLowerCase().replace(' ', '-')}`);

  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  await expect(page.getByText(t('public:price.once', { amount: '€12.50' })).first()).toBeVisible();
});

/** Clicks in the task that shows the element, before the page does anything else. */
const clickOnceShown = (button: Locator, selector: string) =>
  button.evaluate((element: HTMLElement, shown) => {
    return new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector(shown)) return;
        observer.disconnect();
        element.click();
        resolve();
      });
      observer.observe(document.body, { childList: true, subtree: true, attributes: true });
    });
  }, selector);

test('a draft stays private until its creator publishes it', { tag: '@deep' }, async ({ page }) => {
  await newCreator(page);
  await createProduct(page, 'en', nameFor('Drafts '));
  await page
    .getByRole('link', { name: t('product:show.newEpisode') })
    .first()
    .click();
  await page.getByLabel(t('episode:form.name'), { exact: true }).fill('Not yet');
  await page.locator('[contenteditable=true], textarea[name=description]').first().fill('Still thinking.');
  await page.getByRole('radio', { name: t('episode:release.draft') }).check();
  const saved = clickOnceShown(
    page.getByRole('button', { name: t('episode:send.draft'), exact: true }),
    '[data-phase=done]',
  );
  const file = { name: 'sea.mp3', mimeType: 'audio/mpeg', buffer: mp3(20) };
  await page.locator('input[type=file][accept*="mp"]').first().setInputFiles(file);
  await saved;

  await expect(page.getByText(t('episode:status.draft'), { exact: true })).toBeVisible({ timeout: 20_000 });
  await page.getByRole('button', { name: t('studio:sound.play'), exact: true }).click();
  await expect(page.getByRole('button', { name: t('studio:sound.pause'), exact: true })).toBeVisible();
  await page.getByRole('button', { name: t('episode:action.publish'), exact: true }).click();
  // the first published episode of a show soon opens the page about it
  const published = page.getByText(t('episode:status.published'), { exact: true });
  await expect(published.or(page.getByRole('heading', { name: /is out$/ })).first()).toBeVisible();
});

test('a time zone that the browser fills in is no draft', { tag: '@deep' }, async ({ browser, baseURL }) => {
  const context = await browser.newContext({ timezoneId: 'America/Bogota', baseURL });
  const page = await context.newPage();
  await register(page, 'en');

  for (let visit = 0; visit < 2; visit += 1) {
    await page.goto('/creator-page');
    await expect(page.getByRole('combobox', { name: t('studio:creator.timeZone') })).toHaveValue(/Bogot/);
  }

  await expect(page.getByText(t('studio:draft.restored').split('{{')[0]!)).toHaveCount(0);
});

test('a form that is sent before its rules have loaded is sent once, by its button', { tag: '@deep' }, async ({
  page,
}) => {
  await logIn(page, 'ada@altavoz.example');
  await page.goto(`/podcasts/${idOf('lullabies')}/settings/messages`);
  await hydrated(page);
  const asked: string[] = [];
  const release = await hold(page, /\/assets\/schema-/, (url) => asked.push(url));
  const save = page.getByRole('button', { name: t('product:form.save'), exact: true });

  for (let click = 0; click < 3; click += 1) await save.click();
  await expect.poll(() => asked).not.toEqual([]);
  const submitters = await page.evaluateHandle(() => {
    const found: (string | undefined)[] = [];
    addEventListener('submit', ({ submitter }) => found.push(submitter?.tagName));
    return found;
  });
  release();

  await expect(page.getByText(t('studio:done.product_saved')).first()).toBeVisible();
  expect(await submitters.jsonValue()).toEqual(['BUTTON']);
});

test('a panel that was opened before the page’s scripts arrived stays open', { tag: '@deep' }, async ({ page }) => {
  await logIn(page, 'ada@altavoz.example');
  const release = await hold(page, /\/assets\/.*\.js/);
  await page.goto('/dashboard', { waitUntil: 'commit' });
  const newShow = page.getByRole('navigation').getByRole('link', { name: t('studio:switcher.create'), exact: true });
  await page.locator('details:has(a[href$="/products/create"]) > summary').click();
  await expect(newShow).toBeVisible();

  release();
  await hydrated(page);

  await expect(newShow).toBeVisible();
});
