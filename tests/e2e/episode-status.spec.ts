import { expect, test } from '@playwright/test';
import { mp3 } from '../support/mp3';
import { createProduct, hydrated, logIn, nameFor, newCreator, openMore, publishEpisode, words } from './journey';

const t = words('en');

test('unpublishing shows at once, survives a failure, and works without JavaScript', { tag: '@deep' }, async ({
  page,
  browser,
}) => {
  await newCreator(page);
  await createProduct(page, 'en', nameFor('Toggle '));
  await publishEpisode(page, 'en', 'On and off', 20);
  const unpublish = page.getByRole('button', { name: t('episode:action.unpublish'), exact: true });
  const publish = page.getByRole('button', { name: t('episode:action.publishAgain'), exact: true });
  const onHold = page.getByText(t('episode:status.on_hold'), { exact: true });
  const published = page.getByText(t('episode:status.published'), { exact: true });

  // the new status shows before the server has answered
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/trpc/episodes.hold*', async (route) => {
    await held;
    await route.continue();
  });
  await openMore(page);
  await unpublish.click();
  await expect(onHold).toBeVisible();
  answer();
  await expect(page.getByText(t('studio:done.episode_unpublished')).first()).toBeVisible();
  await expect(publish).toBeVisible();

  // a failed call brings the old status back, with an error that stays
  await page.route('**/trpc/episodes.release*', (route) => route.abort());
  await publish.click();
  await expect(page.getByRole('alert').getByText(t('errors:common.something_went_wrong'))).toBeVisible();
  await expect(onHold).toBeVisible();
  await page.unroute('**/trpc/episodes.release*');
  const released = page.waitForResponse('**/trpc/episodes.release*');
  await publish.click();
  // the next page must not be read before the server has published
  await released;
  await expect(published).toBeVisible();
  await openMore(page);
  await expect(unpublish).toBeVisible();

  // without JavaScript the same button submits its form
  const context = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const plain = await context.newPage();
  await plain.goto(page.url());
  await openMore(plain);
  await plain.getByRole('button', { name: t('episode:action.unpublish'), exact: true }).click();
  await expect(plain.getByText(t('episode:status.on_hold'), { exact: true })).toBeVisible();
});

test('several files become drafts, which change together and back', async ({ page }) => {
  await logIn(page, 'lucia@altavoz.example');
  const prefix = nameFor('file');
  // opens the page about the first published episode, which a show does once
  await page.goto('/en/podcasts/1');
  await page.goto(`/en/podcasts/3/episodes?search=${prefix}`);
  // before hydration, no script would notice chosen files
  await hydrated(page);
  const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name });
  const files = ['uno', 'dos'].map((name) => ({
    name: `${prefix} ${name}.mp3`,
    mimeType: 'audio/mpeg',
    buffer: mp3(2),
  }));

  await page.locator('input[type=file][multiple]').setInputFiles([...files, { ...files[0]!, name: 'tres.wav' }]);
  for (const name of ['uno', 'dos']) {
    await expect(rowOf(name).getByText(t('episode:status.draft'), { exact: true })).toBeVisible({ timeout: 40_000 });
  }
  await expect(page.getByRole('alert').getByText('only mp3 allowed')).toBeVisible();

  // the server refuses: the rows come back, and the error stays
  await page.route('**/trpc/episodes.change*', (route) => route.abort());
  await page.getByLabel(t('episode:batch.selectAll')).check();
  await page.getByRole('button', { name: t('episode:batch.delete'), exact: true }).click();
  await expect(page.getByRole('alert').getByText(t('errors:common.something_went_wrong'))).toBeVisible();
  await expect(rowOf('uno')).toBeVisible();
  await page.unroute('**/trpc/episodes.change*');

  // the show is paid, so the files have become private episodes
  const isPrivate = rowOf('uno').getByText(t('episode:type.private'), { exact: true });
  await expect(isPrivate).toBeVisible();
  await page.getByRole('button', { name: t('episode:batch.public'), exact: true }).click();
  await expect(isPrivate).toHaveCount(0);
  const undo = page.getByRole('button', { name: t('episode:batch.undo') }).first();
  await undo.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText(t('episode:batch.undone'))).toBeVisible();
  await expect(isPrivate).toBeVisible();
});
