import { expect, test } from '@playwright/test';
import { hydrated, newCreator, words } from './journey';

const t = words('en');

test('a form that is submitted offline stays, and saves itself when the connection is back', async ({
  page,
  context,
}) => {
  await newCreator(page);
  await page.goto('/creator-page/sections');
  // before that, the browser itself sends the form, and shows its own page
  await hydrated(page);
  const title = page.getByLabel(t('studio:creator.aboutTitle'), { exact: true });
  await title.fill('Written on a train');
  await context.setOffline(true);
  await page.getByRole('button', { name: t('studio:save'), exact: true }).click();
  await expect(page.getByText(t('common:offline.form'))).toBeVisible();
  await expect(title).toHaveValue('Written on a train');

  await context.setOffline(false);

  await expect(page.getByText(t('studio:done.page_saved')).first()).toBeVisible();
  await page.reload();
  await expect(title).toHaveValue('Written on a train');
});

test('a link that is followed offline opens when the connection is back, and the player keeps playing', {
  tag: '@deep',
}, async ({ page, context, baseURL }) => {
  await page.goto(`http://staging-ada.${new URL(baseURL!).host}/en/p/lullabies`);
  await hydrated(page);
  await page.getByRole('button', { name: t('player:playEpisode', { name: 'For a satellite' }) }).click();
  const player = page.getByRole('region', { name: t('player:player') });
  const seconds = async () => Number(await player.getByRole('slider', { name: t('player:progress') }).inputValue());
  await expect.poll(seconds).toBeGreaterThan(1);
  await context.setOffline(true);

  await page.getByRole('link', { name: 'For a lighthouse' }).first().click();

  await expect(page.getByText(t('common:offline.link'))).toBeVisible();
  const before = await seconds();
  await expect.poll(seconds).toBeGreaterThan(before);
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'For a lighthouse' })).toBeVisible();
  await expect(page.getByText(t('common:offline.link'))).toBeHidden();
  await expect.poll(seconds).toBeGreaterThan(before);
});

test('while the server cannot be reached, the next page waits in place below the player', { tag: '@deep' }, async ({
  page,
  baseURL,
}) => {
  await page.goto(`http://staging-ada.${new URL(baseURL!).host}/en/p/lullabies`);
  await hydrated(page);
  await page.getByRole('button', { name: t('player:playEpisode', { name: 'For a satellite' }) }).click();
  const player = page.getByRole('region', { name: t('player:player') });
  // the code of the next page was preloaded
  await page.waitForRequest(/assets\/episode-/);
  await page.waitForLoadState('networkidle');
  await page.route(/\.data|\/assets\//, (route) => route.abort());

  await page.getByRole('link', { name: 'For a lighthouse' }).first().click();

  await expect(page.getByRole('heading', { name: t('common:errorPage.unreachable') })).toBeVisible();
  await expect(player).toBeVisible();
  await page.unroute(/\.data|\/assets\//);
  await page.getByRole('button', { name: t('common:errorPage.retry') }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'For a lighthouse' })).toBeVisible();
  await expect(player).toBeVisible();
});
