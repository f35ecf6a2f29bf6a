import { expect, type Locator, type Page, test } from '@playwright/test';
import { collectErrors } from './browser-errors';
import { hydrated, logIn, words } from './journey';
import { idOf } from './pages';

const t = words('en');
const SHOW = `/podcasts/${idOf('lullabies')}`;
const EPISODE = 'For the server in the cellar';

/** Drags a mark to a share of its waveform. */
async function drag(page: Page, mark: Locator, share: number): Promise<void> {
  await mark.scrollIntoViewIfNeeded();
  const [from, track] = [await mark.boundingBox(), await mark.locator('xpath=..').boundingBox()];
  await page.mouse.move(from!.x + from!.width / 2, from!.y + 8);
  await page.mouse.down();
  await page.mouse.move(track!.x + track!.width * share, from!.y + 8, { steps: 4 });
  await page.mouse.up();
}

test('mid-rolls are marked on the waveform, by pointer and keys, and a passage is replaced, heard and restored', {
  tag: '@deep',
}, async ({ page }) => {
  test.slow();
  const errors = collectErrors(page);
  await logIn(page, 'ada@altavoz.example');
  await page.goto(SHOW);
  await page.getByRole('link', { name: EPISODE, exact: true }).first().click();
  await page.getByRole('link', { name: t('episode:tabs.audio-insertion'), exact: true }).click();
  await hydrated(page);
  await page.getByRole('button', { name: /^Add the pause at/ }).click();
  const mark = page.getByRole('slider', { name: t('places:point.number', { number: '1' }) });
  const middle = (await mark.getAttribute('aria-valuetext'))!;
  const numberOf = async (name: string) => Number(await mark.getAttribute(`aria-value${name}`));
  const share = (await numberOf('now')) / (await numberOf('max'));

  await mark.press('ArrowRight');
  await expect(mark).not.toHaveAttribute('aria-valuetext', middle);
  await drag(page, mark, share + 0.005);
  await expect(mark).toHaveAttribute('aria-valuetext', middle);
  await page.getByRole('button', { name: t('places:point.save') }).click();
  await expect(page.getByText(t('studio:done.points_saved')).first()).toBeVisible();

  await page.locator('summary', { hasText: t('places:passage.new') }).click();
  await page.getByRole('textbox', { name: t('sound:passage.start'), exact: true }).fill('0:20');
  await page.getByRole('textbox', { name: t('sound:passage.end'), exact: true }).fill('0:40');
  const [start, end] = ['start', 'end'].map((edge) =>
    page.getByRole('slider', { name: t(`sound:passage.${edge}Mark`) }),
  ) as [Locator, Locator];
  await start.press('Shift+ArrowLeft');
  await expect(start).toHaveAttribute('aria-valuetext', '0:19.9');
  await drag(page, end, share + 0.005);
  await expect(end).toHaveAttribute('aria-valuetext', middle);
  const heard = page.waitForResponse(/\/audio\/previews\/\d+\.mp3\?/);
  await page.getByRole('button', { name: t('places:passage.listenFirst') }).click();
  expect((await heard).ok()).toBe(true);
  await page.getByRole('button', { name: t('places:passage.replace') }).click();
  const row = page.getByRole('listitem').filter({ hasText: t('places:passage.times', { from: '0:19.9', to: middle }) });
  await expect(row).toBeVisible();

  await row.getByRole('button', { name: /^Undo/ }).click();
  await expect(row).toHaveCount(0);
  expect(errors).toEqual([]);
});
