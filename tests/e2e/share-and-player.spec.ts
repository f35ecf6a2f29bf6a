import { expect, type Page, test } from '@playwright/test';
import { collectErrors } from './browser-errors';
import { hydrated, words } from './journey';

const t = words('en');
const p = (key: string) => t(`player-popup:${key}`);
const showOf = (baseURL = '') => `http://staging-ada.${new URL(baseURL).host}/en/p/lullabies`;

async function openPlayer(page: Page, baseURL: string | undefined) {
  await page.goto(showOf(baseURL));
  await hydrated(page);
  await page.getByRole('button', { name: t('player:playEpisode', { name: 'For a satellite' }) }).click();
  await page.getByRole('button', { name: t('player:expand') }).click();
  return page.getByRole('dialog', { name: 'For a satellite' });
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('one dialog shares a show, by keyboard, and closes again', async ({ page, baseURL }) => {
      const errors = collectErrors(page);
      await page.goto(showOf(baseURL));
      const opener = page.getByRole('button', { name: t('listening:share'), exact: true });
      const dialog = page.getByRole('dialog');

      await opener.press('Enter');

      await expect(dialog.getByRole('textbox', { name: t('listening:share.link') })).toHaveValue(/\/p\/lullabies$/);
      await expect(dialog.getByRole('textbox', { name: t('listening:share.embed') })).toHaveValue(/^<iframe src=/);
      await expect(dialog.getByRole('img', { name: t('listening:share.qr') })).toBeVisible();
      await expect(dialog.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute('href', /lullabies$/);
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      expect(errors).toEqual([]);
    });
  });
}

test('on a wide screen, the expanded player has two columns, in the colours of the creator', async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const popup = await openPlayer(page, baseURL);
  const now = await popup.locator('.popup-now').boundingBox();
  const tabs = popup.getByRole('tablist');
  const lists = await tabs.boundingBox();
  expect(lists!.x).toBeGreaterThanOrEqual(now!.x + now!.width);

  const main = popup.getByRole('button', { name: t('player:pause'), exact: true });
  await expect(main).toHaveCSS('background-color', 'rgb(11, 102, 101)');
  await expect(popup.getByRole('tab', { name: p('chapters') })).toHaveAttribute('aria-selected', 'true');
  await expect(popup.getByRole('tabpanel').getByRole('button', { name: /Overhead/ })).toBeVisible();

  await popup.getByRole('tab', { name: p('chapters') }).press('End');
  await expect(popup.getByRole('tab', { name: p('queue') })).toBeFocused();
  await expect(popup.getByRole('tabpanel', { name: p('queue') })).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(popup.getByRole('tab', { name: p('notes') })).toHaveAttribute('aria-selected', 'true');
});

test('the title of the bar takes the free room, and scrolls only where it does not fit', async ({ page, baseURL }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(showOf(baseURL));
  await page.getByRole('button', { name: t('player:playEpisode', { name: 'For the server in the cellar' }) }).click();
  const title = page.locator('.player .scrolling');

  await expect(title).toBeVisible();
  await expect(title).not.toHaveClass(/scrolls/);
  expect((await title.boundingBox())!.width).toBeGreaterThan(160);

  await page.setViewportSize({ width: 360, height: 800 });
  await expect(title).toHaveClass(/scrolls/);
});
