import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page, test } from '@playwright/test';
import { collectErrors } from './browser-errors';
import { logIn, words } from './journey';
import { nearlyAListen } from './nearly-a-listen';
import { idOf } from './pages';

const t = words('en');

/**
 * A page of another site with the player in a frame. It has its own server, because browsers ask for permission before
 * a page from elsewhere may load local resources. It declares an empty icon, because browsers would otherwise ask the
 * server for one after it has closed.
 */
async function openBlog(page: Page, src: string) {
  const body = `<!doctype html><title>Blog</title><link rel="icon" href="data:,"><iframe src="${src}" width="100%" height="450" title="Player"></iframe>`;
  const server = http.createServer((_, response) => response.setHeader('content-type', 'text/html').end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await page.goto(`http://blog.localhost:${(server.address() as AddressInfo).port}/`);
  server.close();
  server.closeAllConnections();
  return page.frameLocator('iframe');
}

test('a show plays in a frame on another site, by keyboard and without cookies, and continues with its next episode', async ({
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

test('a listen in a frame on another site counts', { tag: '@deep' }, async ({ page, baseURL }) => {
  const frame = await openBlog(page, `${baseURL}/embed/p/${idOf('lullabies')}`);
  const player = frame.getByRole('region', { name: t('player:player') });
  const toggle = player.locator('[data-toggle]');
  await toggle.click();
  await expect.poll(async () => Number(await player.getByRole('slider').inputValue())).toBeGreaterThan(1);
  await toggle.click();
  await expect(toggle).toHaveAttribute('data-playing', 'false');
  await nearlyAListen(page.frames()[1]!);
  const counted = page.waitForResponse((response) => response.url().includes('/trpc/listening.record'));

  await toggle.click();

  const answer = await counted;
  expect(answer.status(), await answer.text()).toBe(200);
  expect((await answer.json()).result.data.json).toEqual({ counted: true });
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

test('a creator copies the code of a player in a size and a theme, and sees it', { tag: '@deep' }, async ({ page }) => {
  await logIn(page, 'lucia@altavoz.example');
  await page.goto('/en/podcasts/1/episodes/2');
  const code = page.getByRole('textbox', { name: t('embed:code.label') });
  await page.getByText(t('embed:code.title.episode')).click();
  await page.getByRole('radio', { name: t('embed:code.size.compact') }).check();
  await page.getByRole('radio', { name: t('embed:code.theme.dark'), exact: true }).check();

  await expect(code).toHaveValue(/^<iframe src="http:[^"]+\/embed\/2\?theme=dark" width="100%" height="120" /);
  const preview = page.frameLocator(`iframe[title="${t('embed:code.preview')}"]`);
  await expect(preview.locator('html[data-mantine-color-scheme=dark]').getByRole('heading')).toBeVisible();

  const [copied] = await Promise.all([
    code.inputValue(),
    page.context().grantPermissions(['clipboard-read', 'clipboard-write']),
  ]);
  await page.getByRole('button', { name: t('embed:code.copy') }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(copied);
});
