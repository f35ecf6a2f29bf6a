import { expect, test } from '@playwright/test';
import { collectErrors } from './browser-errors';
import { hydrated, logIn, nameFor, words } from './journey';
import { idOf } from './pages';

const t = words('en');
const s = (key: string, values: Record<string, string> = {}) => t(`soundbites:${key}`, values);

test('a soundbite is chosen in the transcript, saved as a picture, and heard on its page and by apps', async ({
  page,
}) => {
  test.slow();
  const errors = collectErrors(page);
  const title = nameFor('Hums at home ');
  await logIn(page, 'ada@altavoz.example');
  await page.goto(`/en/audio-series/${idOf('field-guide-to-hums')}`);
  await page.getByRole('main').getByRole('link', { name: 'What you will hear' }).first().click();
  await page.getByRole('link', { name: t('episode:tabs.soundbites'), exact: true }).click();
  await expect(page.getByRole('heading', { name: s('add.title') })).toBeVisible();
  await hydrated(page);

  const passages = page.getByRole('list', { name: s('passages.help') }).getByRole('button');
  await passages.nth(1).click();
  await passages.nth(3).click();
  await expect(passages.nth(2)).toHaveAttribute('aria-pressed', 'true');
  const form = page.getByRole('form', { name: s('add.title') });
  await form.getByLabel(s('name'), { exact: true }).fill(title);
  await form.getByRole('button', { name: s('add.submit') }).click();
  await expect(page.getByText(t('studio:done.soundbite_added')).first()).toBeVisible();

  const row = page
    .getByRole('region', { name: s('list.title') })
    .getByRole('listitem')
    .filter({ hasText: title });
  await row.locator('summary', { hasText: s('share') }).click();
  await expect(row.getByRole('img', { name: s('share.picture', { title }) })).toBeVisible();
  const download = page.waitForEvent('download');
  await row.getByRole('button', { name: s('share.savePicture') }).click();
  expect((await download).suggestedFilename()).toMatch(/^Hums-at-home-.*-square\.png$/);

  await row.getByRole('link', { name: s('list.page') }).click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await page.getByRole('button', { name: t('public:soundbite.play') }).click();
  const player = page.getByRole('region', { name: t('player:player') });
  const seconds = async () => Number(await player.getByRole('slider', { name: t('player:progress') }).inputValue());
  await expect.poll(seconds).toBeGreaterThan(1);

  // in the page, because Node may not know the names of hosts below localhost
  const feed = () => page.evaluate(async () => (await fetch('/p/field-guide-to-hums/feed.xml')).text());
  const tag = new RegExp(`<podcast:soundbite startTime="[\\d.]+" duration="[\\d.]+">${title}<`);
  await expect.poll(feed).toMatch(tag);
  expect(errors).toEqual([]);
});
