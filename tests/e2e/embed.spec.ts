import { expect, type Page, test } from '@playwright/test';
import { collectErrors } from './browser-errors';
import { words } from './journey';
import { idOf } from './pages';

const t = words('en');

/** A page of another site with the player in a frame. */
async function openBlog(page: Page, path: string) {
  const body = `<!doctype html><title>Blog</title><iframe src="${path}" width="100%" height="450" title="Player"></iframe>`;
  await page.route('http://blog.example/', (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto('http://blog.example/');
  return page.frameLocator('iframe');
}

test('a show plays in a frame on another site, by keyboard and without cookies, and goes on with its next episode', async ({
  page,
  context,
  baseURL,
}) => {
  const errors = collectErrors(page);
  const frame = await openBlog(page, `${baseURL}/embed/p/${idOf('lullabies')}`);
  const player = frame.getByRole('region', { name: t('player:player') });
  const position = player.getByRole('slider', { name: t('player:progress') });
  const seconds = async () => Number(await position.inputValue());
  const first = (await player.locator('[data-now]').textContent()) ?? '';

  await player.getByRole('button', { name: t('player:playEpisode', { name: first }) }).press('Space');
  await expect(player.getByRole('button', { name: t('player:pauseEpisode', { name: first }) })).toBeVisible();
  await expect.poll(seconds).toBeGreaterThan(0.5);
  await position.press('ArrowRight');
  await expect.poll(seconds).toBeGreaterThan(5);
  await position.press('End');
  await expect(player.locator('[data-now]')).not.toHaveText(first);
  await expect(frame.locator('li[aria-current=true] a')).not.toHaveText(first);
  await expect.poll(seconds).toBeGreaterThan(0.5);
  await position.press(' ');

  await expect(frame.getByRole('heading').getByRole('link')).toHaveAttribute('target', '_blank');
  expect(await context.cookies()).toEqual([]);
  expect(errors).toEqual([]);
});

test('an embedded episode has native controls without JavaScript', async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 320, height: 180 },
    baseURL,
  });
  const page = await context.newPage();
  await page.goto('/embed/2');

  await expect(page.locator('audio[controls]')).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
});
