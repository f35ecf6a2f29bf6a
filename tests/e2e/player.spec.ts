import { expect, test } from '@playwright/test';
import { hydrated, words } from './journey';

const t = words('en');

test('the player keeps playing across pages, and the keyboard controls it', async ({ page, baseURL }) => {
  const root = new URL(baseURL!).host;
  await page.goto(`http://staging-ada.${root}/p/lullabies`);
  await hydrated(page);
  await page.getByRole('button', { name: t('player:playEpisode', { name: 'For a satellite' }) }).click();
  const player = page.getByRole('region', { name: t('player:player') });
  const position = player.getByRole('slider', { name: t('player:progress') });
  const seconds = async () => Number(await position.inputValue());
  await expect(player.getByRole('button', { name: t('player:pause'), exact: true })).toBeVisible();
  await expect(player.getByText('For a satellite').first()).toBeVisible();
  await expect.poll(seconds).toBeGreaterThan(1);

  await page.getByRole('link', { name: 'For a lighthouse' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'For a lighthouse' })).toBeVisible();
  const before = await seconds();
  await expect.poll(seconds).toBeGreaterThan(before);

  await page.locator('body').press('ArrowRight');
  await expect.poll(seconds).toBeGreaterThan(before + 5);
  await page.locator('body').press('Space');
  await expect(player.getByRole('button', { name: t('player:play'), exact: true })).toBeVisible();
  await player.getByRole('button', { name: t('player:play'), exact: true }).press('ArrowDown');
  await expect(player.getByRole('slider', { name: t('player:volume') })).toHaveValue('9');

  await player.getByRole('button', { name: t('player:next') }).click();
  await expect(player.getByText('For a lighthouse').first()).toBeVisible();
  await player.getByRole('button', { name: t('player:close') }).click();
  await expect(player).toBeHidden();
});

test('after a reload the player is paused at the same position', async ({ page, baseURL }) => {
  const root = new URL(baseURL!).host;
  await page.goto(`http://staging-lucia.${root}/p/postales-sonoras`);
  await hydrated(page);
  await page.getByRole('button', { name: t('player:playEpisode', { name: 'Playa de invierno' }) }).click();
  const player = page.getByRole('region', { name: t('player:player') });
  const position = player.getByRole('slider', { name: t('player:progress') });
  await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThan(2);

  await page.reload();

  await expect(player.getByText('Playa de invierno').first()).toBeVisible();
  await expect(player.getByRole('button', { name: t('player:play'), exact: true })).toBeVisible();
});
