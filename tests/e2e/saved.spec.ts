import { expect, type Page, test } from '@playwright/test';
import { hydrated, words } from './journey';

const t = words('en');

test.use({ serviceWorkers: 'allow' });

/** The paths of everything that this host has stored in the browser's caches. */
const stored = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return Object.fromEntries(names.map((name, i) => [name, keys[i]!.map(({ url }) => new URL(url).pathname).sort()]));
  });

test('a saved episode plays and seeks without a connection, nothing else is stored, and it goes with the access', async ({
  page,
  context,
  baseURL,
}) => {
  const host = `http://staging-ada.${new URL(baseURL!).host}`;
  await page.goto(`${host}/en/p/lullabies/for-a-satellite`);
  await hydrated(page);
  await page.getByRole('button', { name: new RegExp(`^${t('saved:unsaved')}`) }).click();
  await expect(page.getByText(t('saved:saved'))).toBeVisible();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);

  // pages, API answers, pictures and other audio bypass the worker
  await page.goto(`${host}/en/p/lullabies`);
  await hydrated(page);
  await page.getByRole('button', { name: t('player:playEpisode', { name: 'For a lighthouse' }) }).click();
  const player = page.getByRole('region', { name: t('player:player') });
  await expect(player.getByRole('button', { name: t('player:pause'), exact: true })).toBeVisible();
  await page.goto(`${host}/es`);
  const found = await stored(page);
  expect(Object.keys(found).sort()).toEqual(['saved-episodes', 'shell']);
  const audio = found['saved-episodes']!.find((path) => path.startsWith('/audio/'));
  expect(found['saved-episodes']).toEqual([audio, `/saved/record${audio}`]);
  expect(found.shell!.filter((path) => !path.startsWith('/assets/'))).toEqual(['/es/saved', '/saved']);

  await context.setOffline(true);
  await page.goto(`${host}/p/lullabies`);
  await expect(page).toHaveURL(/\/saved\?from=%2Fp%2Flullabies$/);
  await expect(page.getByText(t('saved:offline'))).toBeVisible();
  await page.getByRole('button', { name: t('player:playEpisode', { name: 'For a satellite' }) }).click();
  const seconds = async () => Number(await player.getByRole('slider', { name: t('player:progress') }).inputValue());
  await expect.poll(seconds).toBeGreaterThan(1);
  await player.getByRole('button', { name: t('player:forward', { seconds: '30' }) }).click();
  await expect.poll(seconds).toBeGreaterThan(31);

  await context.setOffline(false);
  await context.route(/\/audio\//, (route) => route.fulfill({ status: 404 }));
  await page.goto(`${host}/en/saved`);
  await expect(page.getByText(t('saved:none'))).toBeVisible();
  expect((await stored(page))['saved-episodes']).toEqual([]);
});

test('the expanded player saves the episode that plays, and the page of saved episodes removes all on request', {
  tag: '@deep',
}, async ({ page, baseURL }) => {
  await page.goto(`http://staging-ada.${new URL(baseURL!).host}/en/p/lullabies`);
  await page.getByRole('button', { name: t('player:playEpisode', { name: 'For a satellite' }) }).click();
  await page.getByRole('button', { name: t('player:expand') }).click();
  const popup = page.getByRole('dialog');

  await popup.getByRole('button', { name: new RegExp(`^${t('saved:unsaved')}`) }).press('Enter');
  await popup.getByRole('link', { name: t('saved:title') }).click();

  await expect(popup).toHaveCount(0);
  await expect(page.getByRole('main').getByText('For a satellite').first()).toBeVisible();

  const removeAll = page.getByRole('button', { name: t('saved:removeAll'), exact: true });
  await removeAll.press('Enter');
  // a second press must not remove anything
  await expect(page.getByRole('button', { name: t('saved:keep') })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(removeAll).toBeFocused();
  await removeAll.press('Enter');
  await page.getByRole('button', { name: t('saved:removeAllConfirm') }).press('Enter');
  await expect(page.getByText(t('saved:none'))).toBeVisible();
  expect(await stored(page)).not.toHaveProperty('saved-episodes');
});
