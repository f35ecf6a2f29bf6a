import { expect, type Page, test } from '@playwright/test';
import { AXE, findings } from './axe';
import { collectErrors } from './browser-errors';
import { logIn, words } from './journey';
import { idOf } from './pages';

const t = words('en');
const e = (key: string, values: Record<string, string> = {}) => t(`transcripts:${key}`, values);
const passages = (page: Page) => page.getByRole('textbox', { name: e('passage'), exact: true });
const button = (page: Page, key: string) => page.getByRole('button', { name: e(key), exact: true });
const isSaved = (page: Page) => expect(page.getByText(e('save.saved'), { exact: true })).toBeVisible();

/** The editor of the demo's episode in which an engine took some words for others. */
async function openEditor(page: Page): Promise<void> {
  await page.goto(`/en/audio-series/${idOf('field-guide-to-hums')}`);
  await page.getByRole('main').getByRole('link', { name: 'What you will hear' }).first().click();
  await page.getByRole('link', { name: t('episode:tabs.transcript'), exact: true }).click();
  await page.getByRole('link', { name: t('episode:transcript.edit'), exact: true }).click();
  await expect(passages(page).first()).toBeVisible();
}

async function typeAtEnd(page: Page, passage: number, text: string): Promise<void> {
  await passages(page).nth(passage).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
}

// one after the other, because the first ones change and restore the same transcript
test.describe.configure({ mode: 'default' });

test('a show’s glossary is written, applied to a transcript in one step, and undone', async ({ page }) => {
  const errors = collectErrors(page);
  await logIn(page, 'ada@altavoz.example');
  await page.goto(`/en/audio-series/${idOf('field-guide-to-hums')}/settings/glossary`);
  await page.getByLabel(e('glossary.label')).fill('Field Guide = field guide\nAda Bright');
  await button(page, 'glossary.save').click();
  await expect(page.getByText(t('studio:done.glossary_saved'))).toBeVisible();
  await page.evaluate(AXE);
  expect(await findings(page)).toEqual([]);

  await page.goto(`/en/audio-series/${idOf('field-guide-to-hums')}`);
  await page.getByRole('main').getByRole('link', { name: 'What you will hear' }).first().click();
  await page.getByRole('link', { name: t('episode:tabs.transcript'), exact: true }).click();
  await page.getByRole('link', { name: t('episode:transcript.edit'), exact: true }).click();
  const first = passages(page).first();
  const before = await first.textContent();
  expect(before).toContain('field guide');
  await button(page, 'panel.glossary').click();
  await button(page, 'glossary.apply').click();
  await expect(page.getByText(e('glossary.noPlaces'))).toBeVisible();
  const isChanged = passages(page).filter({ hasText: /Field Guide/ });
  await expect(isChanged).not.toHaveCount(0);
  await page.evaluate(AXE);
  expect(await findings(page)).toEqual([]);

  await button(page, 'undo').click();
  await expect(isChanged).toHaveCount(0);
  await expect(first).toHaveText(before!);
  await expect(button(page, 'glossary.apply')).toBeEnabled();
  // the next test reads the same transcript
  await isSaved(page);
  expect(errors).toEqual([]);
});

test('a heard transcript is followed, corrected, split, named and saved, also from two windows', async ({ page }) => {
  test.slow();
  const errors = collectErrors(page);
  await logIn(page, 'ada@altavoz.example');
  await openEditor(page);
  const audio = page.locator('main audio');
  const seconds = () => audio.evaluate((element: HTMLAudioElement) => element.currentTime);

  await button(page, 'playFrom')
    .or(page.getByRole('button', { name: e('playFrom', { time: '0:05' }) }))
    .click();
  await expect.poll(seconds).toBeGreaterThanOrEqual(5);
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-passage][aria-current]')).toContainText('fridge');
  await page.keyboard.press('Escape');

  const toCheck = page.locator('[data-unsure]');
  await expect(toCheck).toHaveCount(2);
  await page.keyboard.press('Control+j');
  await expect(toCheck.first().getByRole('textbox', { name: e('passage') })).toBeFocused();
  await button(page, 'panel.find').click();
  await page.getByLabel(e('find'), { exact: true }).fill('transfers');
  await page.getByLabel(e('replaceWith')).fill('transformers');
  await button(page, 'replaceAll').click();
  await expect(toCheck).toHaveCount(1);
  await button(page, 'close').click();

  const count = await passages(page).count();
  await passages(page).first().click();
  await page.keyboard.press('Home');
  for (let letter = 0; letter < 'Welcome to '.length; letter++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(passages(page)).toHaveCount(count + 1);
  await expect(passages(page).nth(1)).toHaveText('the field guide to hums.');
  await button(page, 'panel.speakers').click();
  await page.getByLabel(/passages$/).fill('Ada Bright');
  await page.keyboard.press('Enter');
  await isSaved(page);

  const other = await page.context().newPage();
  await openEditor(other);
  await expect(passages(other).nth(1)).toHaveText('the field guide to hums.');
  await typeAtEnd(other, 0, ' all');
  await isSaved(other);
  await typeAtEnd(page, 2, ' Soon.');
  await expect(passages(page).first()).toHaveText('Welcome to all');
  await isSaved(page);
  await typeAtEnd(other, 2, ' Never.');
  await expect(other.getByRole('alert')).toContainText('Never.');

  await page.getByRole('link', { name: e('back') }).click();
  const file = await page.getByRole('link', { name: t('episode:transcript.format.vtt') }).getAttribute('href');
  const vtt = await page.evaluate(async (path) => (await fetch(path)).text(), file!);
  expect(vtt).toContain('<v Ada Bright>Welcome to all');
  expect(vtt).toContain('transformers');
  expect(vtt).not.toContain('Never');
  // the browser names the answer to a save that another window has overtaken
  expect(errors.filter((error) => !error.includes('409'))).toEqual([]);
});

test('a show finds the words that were said in its episodes, and leads to their second', async ({ page, baseURL }) => {
  // a job reads new transcripts every minute
  test.slow();
  const show = `http://staging-ada.${new URL(baseURL!).host}/en/p/field-guide-to-hums`;
  const found = page.getByRole('region', { name: t('public:said.title') });

  await expect(async () => {
    await page.goto(`${show}?q=synthetic+voices`);
    await expect(found).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 100_000 });

  await expect(page.getByText(/^No episode contains/)).toHaveCount(0);
  await expect(found.locator('mark').first()).toContainText(/synthetic|voice/);
  await found.getByRole('link').first().click();
  await expect(page).toHaveURL(/what-you-will-hear/);

  await page.goto(new URL('/en', show).href);
  await page.getByRole('searchbox', { name: t('public:search.all') }).fill('synthetic voices');
  await page.keyboard.press('Enter');
  await expect(found.getByRole('link').first()).toHaveAttribute('href', /what-you-will-hear/);
  await page.goto(`${baseURL}/en/discover?search=synthetic+voices`);
  await expect(found.getByRole('link').first()).toHaveAttribute('href', /what-you-will-hear/);
});
