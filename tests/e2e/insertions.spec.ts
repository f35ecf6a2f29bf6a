import { expect, test } from '@playwright/test';
import { hydrated, words } from './journey';
import { idOf } from './pages';

const t = words('en');

test('a listener continues at the same place of an episode, although a clip plays before it', async ({
  page,
  baseURL,
}) => {
  const player = page.getByRole('region', { name: t('player:player') });
  const seconds = async () => Number(await player.getByRole('slider', { name: t('player:progress') }).inputValue());
  const remembered = () =>
    page.evaluate(() => {
      const positions = JSON.parse(localStorage.getItem('playerPositions') ?? '{}') as Record<
        string,
        { seconds: number }
      >;
      return Object.values(positions)[0]?.seconds ?? 0;
    });
  const timeline = () => page.waitForResponse(/\/timeline\.json$/);
  await page.goto(`http://staging-lucia.${new URL(baseURL!).host}/en/p/postales-sonoras`);
  await hydrated(page);
  const loaded = timeline();
  await page.locator('button[data-play]').first().click();
  const [first] = (await (await loaded).json()) as { heard: number }[];
  expect(first!.heard).toBeGreaterThan(10);

  await player.getByRole('button', { name: t('player:forward', { seconds: '30' }) }).click();
  await expect.poll(seconds).toBeGreaterThan(30);
  await player.getByRole('button', { name: t('player:pause'), exact: true }).click();
  const before = await seconds();
  expect(Math.abs((await remembered()) - (before - first!.heard))).toBeLessThan(1.5);

  await page.reload();
  await hydrated(page);
  const again = timeline();
  await player.getByRole('button', { name: t('player:play'), exact: true }).click();
  await again;

  await expect.poll(seconds).toBeGreaterThanOrEqual(Math.floor(before));
  expect(await seconds()).toBeLessThan(before + 10);
});

test('the waveform shows the position of the slider over it, although clips play in the episode', async ({
  page,
  baseURL,
}) => {
  const player = page.getByRole('region', { name: t('player:player') });
  await page.goto(`http://staging-lucia.${new URL(baseURL!).host}/en/p/postales-sonoras`);
  await hydrated(page);
  const timeline = page.waitForResponse(/\/timeline\.json$/);
  await page.locator('button[data-play]').first().click();
  await timeline;
  await player.getByRole('button', { name: t('player:pause'), exact: true }).click();
  await player.getByRole('button', { name: t('player:expand') }).click();
  const slider = page.getByRole('dialog').getByRole('slider', { name: t('player:progress') });
  const head = page.locator('.popup-waveform > span > span').last();
  await expect(head).toBeAttached();
  const shown = async () => [
    await slider.evaluate((range) => Number.parseFloat(range.style.getPropertyValue('--part')) / 100),
    await head.evaluate((line) => Number.parseFloat(line.style.insetInlineStart) / 100),
  ];

  for (const part of [0.1, 0.5, 0.9]) {
    const { width, height } = (await slider.boundingBox())!;
    await slider.click({ position: { x: part * width, y: height / 2 } });
    // the slider has steps of a second, and the line of half a second
    await expect
      .poll(async () => (await shown()).every((each) => Math.abs(each - part) < 0.1), `at ${part}`)
      .toBe(true);
    const [ofSlider = 0, ofLine = 0] = await shown();
    expect(Math.abs(ofSlider - ofLine)).toBeLessThan(0.04);
  }
});

test('a frame begins at a moment of an episode, although a clip plays before it', async ({ page }) => {
  const player = page.getByRole('region', { name: t('player:player') });
  const seconds = async () => Number(await player.getByRole('slider', { name: t('player:progress') }).inputValue());
  const loaded = page.waitForResponse(/\/timeline\.json$/);
  await page.goto(`/embed/p/${idOf('postales-sonoras')}?t=4`);
  await expect(player.locator('[data-time]')).toHaveText(/^0:04/);

  await player.locator('[data-toggle]').click();

  const [first] = (await (await loaded).json()) as { heard: number }[];
  await expect.poll(seconds).toBeGreaterThanOrEqual(4 + Math.floor(first!.heard));
  expect(await seconds()).toBeLessThan(16 + first!.heard);
});
