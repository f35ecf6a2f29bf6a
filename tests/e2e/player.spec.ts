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

test('the buttons jump by 15 and 30 seconds, and the speed is chosen from a menu', async ({ page, baseURL }) => {
  await page.goto(`http://staging-ada.${new URL(baseURL!).host}/en/p/lullabies`);
  await hydrated(page);
  await page.getByRole('button', { name: t('player:playEpisode', { name: 'For a satellite' }) }).click();
  const player = page.getByRole('region', { name: t('player:player') });
  const seconds = async () => Number(await player.getByRole('slider', { name: t('player:progress') }).inputValue());
  await expect(player.locator('.player-times')).toHaveText(/^0:0\d \/ −0:5\d$/);

  await player.getByRole('button', { name: t('player:forward', { seconds: '30' }) }).click();
  await expect.poll(seconds).toBeGreaterThanOrEqual(30);
  await player.getByRole('button', { name: t('player:back', { seconds: '15' }) }).click();
  await expect.poll(seconds).toBeLessThan(25);
  await player.getByRole('button', { name: `${t('player:speed')}: 1×` }).click();
  await player.getByRole('button', { name: '1.5×', exact: true }).click();

  await expect(player.getByRole('button', { name: `${t('player:speed')}: 1.5×` })).toBeVisible();
  await expect(player.getByRole('button', { name: '1.5×', exact: true })).toBeHidden();
});

for (const allowed of [true, false]) {
  const result = allowed ? 'goes on' : 'waits at its position, if the browser forbids autoplay,';
  test(`the player ${result} when a listener opens a show from the home page`, async ({ page, baseURL }) => {
    if (!allowed) {
      await page.addInitScript(() => {
        const play = HTMLMediaElement.prototype.play;
        HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
          const isCreator = location.host.startsWith('staging-');
          return isCreator ? Promise.reject(new DOMException('no click', 'NotAllowedError')) : play.call(this);
        };
      });
    }
    await page.goto(`${baseURL}/`);
    await hydrated(page);
    const player = page.getByRole('region', { name: t('player:player') });
    const seconds = async () => Number(await player.getByRole('slider', { name: t('player:progress') }).inputValue());
    await page.locator('.sample .play').click();
    await expect.poll(seconds).toBeGreaterThan(2);
    const name = (await player.locator('.player-title').textContent()) ?? '';
    const before = await seconds();

    await page.locator('.sample a').first().click();

    await expect(page).toHaveURL(/staging-\w+\.altavoz\.localhost:\d+\/p\/[\w-]+$/);
    await expect(player.getByText(name).first()).toBeVisible();
    await expect.poll(seconds).toBeGreaterThanOrEqual(before);
    const label = t(allowed ? 'player:pause' : 'player:play');
    await expect(player.getByRole('button', { name: label, exact: true })).toBeVisible();
    if (allowed) await expect.poll(seconds).toBeGreaterThan(before);
  });
}

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
