import { expect, type Page, test } from '@playwright/test';
import { TOAST_LIMITS } from '../../server/limits/player';
import { logIn, openMore, words } from './journey';

const t = words('en');

/** Makes the next call that unpublishes an episode fail with this error. */
async function refuse(page: Page, code: string, message: string) {
  const data = { code: 'FORBIDDEN', httpStatus: 403, app: { code } };
  const body = JSON.stringify([{ error: { json: { message, code: -32003, data } } }]);
  await page.route('**/trpc/episodes.hold*', (route) =>
    route.fulfill({ status: 403, contentType: 'application/json', body }),
  );
}

async function unpublish(page: Page) {
  await openMore(page);
  await page.getByRole('button', { name: t('episode:action.unpublish') }).click();
}

test('a feature that the plan does not include opens a pop-up, which leads to the plans', async ({ page }) => {
  await logIn(page, 'lucia@altavoz.example');
  await page.goto('/en/podcasts/1/episodes/3');
  await refuse(page, 'episode.max_free_reached', 'Ten episodes are enough.');
  const dialog = page.getByRole('dialog', { name: t('studio:planLimit.title') });

  await unpublish(page);
  await expect(dialog).toContainText('Ten episodes are enough.');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await unpublish(page);
  await dialog.getByRole('link', { name: t('studio:planLimit.plans') }).click();

  await expect(page).toHaveURL(/\/plans$/);
});

test('a success closes after five seconds, bottom left, and an error stays until it is closed', {
  tag: '@deep',
}, async ({ page }) => {
  await logIn(page, 'lucia@altavoz.example');
  await page.clock.install();
  await page.goto('/en/podcasts/1/episodes/3?done=listings_saved');
  const success = page.getByRole('status').filter({ hasText: t('studio:done.listings_saved') });
  await expect(success).toBeVisible();
  const box = (await success.boundingBox())!;
  const { width, height } = page.viewportSize()!;
  expect(box.x).toBeLessThan(width / 2);
  expect(box.y).toBeGreaterThan(height / 2);
  await refuse(page, 'common.forbidden', 'Not allowed.');
  // the page takes the message out of its address, which closes menus
  await expect(page).not.toHaveURL(/done=/);
  await unpublish(page);
  const error = page.getByRole('alert').filter({ hasText: 'Not allowed.' });
  await expect(error).toBeVisible();

  await page.clock.runFor(TOAST_LIMITS.closesAfterMs + 1000);
  await expect(success).toBeHidden();
  await page.clock.runFor(10 * TOAST_LIMITS.closesAfterMs);
  await expect(error).toBeVisible();
  await error.getByRole('button', { name: t('studio:close') }).click();
  await page.clock.runFor(1000);
  await expect(error).toBeHidden();
});

test('a route change that takes long shows a spinner over the whole screen', { tag: '@deep' }, async ({ page }) => {
  await logIn(page, 'lucia@altavoz.example');
  await page.goto('/en/podcasts/1');
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/team.data*', async (route) => {
    await answered;
    await route.continue();
  });
  const spinner = page.getByRole('status', { name: t('studio:loading') });

  await page.getByRole('link', { name: t('studio:nav.team'), exact: true }).click();
  await expect(spinner).toBeVisible();
  const { width, height } = (await spinner.boundingBox())!;
  expect({ width, height }).toEqual(page.viewportSize());
  answer();

  await expect(spinner).toBeHidden();
  await expect(page).toHaveURL(/\/team$/);
});
