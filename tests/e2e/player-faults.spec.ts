import { expect, type Page, test } from '@playwright/test';
import { faultyAudio } from './faulty-audio';
import { hydrated, words } from './journey';
import { idOf } from './pages';

const t = words('en');
type Faults = Awaited<ReturnType<typeof faultyAudio>>;

/** Plays the first seconds of an episode; the rest waits behind the connection. */
async function playing(page: Page, faults: Faults) {
  await page.goto(`${faults.host('staging-ada')}/p/lullabies`);
  await hydrated(page);
  await page.getByRole('button', { name: t('player:playEpisode', { name: 'For a satellite' }) }).click();
  const player = page.getByRole('region', { name: t('player:player') });
  const seconds = async () => Number(await player.getByRole('slider', { name: t('player:progress') }).inputValue());
  await expect.poll(seconds).toBeGreaterThan(1);
  const button = (key: string) => player.getByRole('button', { name: t(`player:${key}`), exact: true });
  return { player, seconds, button };
}

for (const [fault, after] of [
  ['stalls', 'none'],
  ['dies', 'dead'],
] as const) {
  test(`playback continues at its position after a server that ${fault} for ten seconds`, { tag: '@deep' }, async ({
    page,
    baseURL,
  }) => {
    const faults = await faultyAudio(baseURL!);
    const { player, seconds, button } = await playing(page, faults);
    await expect(player.getByText(t('player:notice.network'))).toBeVisible({ timeout: 30_000 });
    await expect(button('play')).toBeVisible();
    const stoppedAt = await seconds();

    if (after === 'dead') faults.become('dead');
    await page.waitForTimeout(10_000);
    // audio that arrived before may still play
    expect(await seconds()).toBeLessThan(stoppedAt + 3);
    faults.become('none');

    await expect.poll(seconds, { timeout: 30_000 }).toBeGreaterThan(stoppedAt + 1);
    expect(await seconds()).toBeLessThan(stoppedAt + 15);
    await expect(button('pause')).toBeVisible();
    faults.close();
  });
}

test('playback ends with a reason after the server refuses the audio midway', async ({ page, baseURL }) => {
  const faults = await faultyAudio(baseURL!);
  const { player, button } = await playing(page, faults);

  faults.become('forbid');

  await expect(player.getByText(t('player:notice.forbidden'))).toBeVisible({ timeout: 30_000 });
  await expect(button('play')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: t('player:state.forbidden') })).toBeAttached();
  faults.close();
});

test('an embedded player continues at its position after a server that stalls and dies', { tag: '@deep' }, async ({
  page,
  baseURL,
}) => {
  const faults = await faultyAudio(baseURL!);
  await page.goto(`${faults.url}/embed/p/${idOf('lullabies')}`);
  const player = page.getByRole('region', { name: t('player:player') });
  const seconds = async () => Number(await player.getByRole('slider').inputValue());
  await page.locator('li', { hasText: 'For a satellite' }).getByRole('button').click();
  await expect.poll(seconds).toBeGreaterThan(1);
  await expect(player.getByText(t('player:notice.network'))).toBeVisible({ timeout: 30_000 });
  const stoppedAt = await seconds();

  faults.become('dead');
  await page.waitForTimeout(5000);
  faults.become('none');
  await expect.poll(seconds, { timeout: 40_000 }).toBeGreaterThan(stoppedAt + 1);
  await expect(player.locator('[data-toggle]')).toHaveAttribute('data-playing', 'true');
  faults.close();
});

test('an embedded player says that access has ended', { tag: '@deep' }, async ({ page, baseURL }) => {
  const faults = await faultyAudio(baseURL!);
  await page.goto(`${faults.url}/embed/p/${idOf('lullabies')}`);
  await page.locator('li', { hasText: 'For a satellite' }).getByRole('button').click();
  const player = page.getByRole('region', { name: t('player:player') });
  await expect.poll(async () => Number(await player.getByRole('slider').inputValue())).toBeGreaterThan(1);

  faults.become('forbid');

  await expect(player.getByText(t('player:notice.forbidden'))).toBeVisible({ timeout: 30_000 });
  await expect(player.locator('[data-toggle]')).toHaveAttribute('data-playing', 'false');
  faults.close();
});
