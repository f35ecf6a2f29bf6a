import { expect, type Page, test } from '@playwright/test';
import { collectErrors } from './browser-errors';
import { hydrated, words } from './journey';

const t = words('en');
const l = (key: string, values: Record<string, string> = {}) => t(`listening:${key}`, values);
const NAME = 'For a satellite';

/** The URL of an episode with chapters, a transcript, and times in its notes. */
const addressOf = (baseURL = '') => `http://staging-ada.${new URL(baseURL).host}/en/p/lullabies/for-a-satellite`;

function barOf(page: Page) {
  const bar = page.getByRole('region', { name: t('player:player') });
  const seconds = async () => Number(await bar.getByRole('slider', { name: t('player:progress') }).inputValue());
  return { bar, seconds, pause: bar.getByRole('button', { name: t('player:pause'), exact: true }) };
}

test('times in the notes, chapters and the transcript seek and follow what is heard, and the transcript is searched', async ({
  page,
  baseURL,
}) => {
  const errors = collectErrors(page);
  await page.goto(addressOf(baseURL));
  const { bar, seconds, pause } = barOf(page);
  const notes = page.locator('.prose').first();
  const chapter = (name: string) => page.getByRole('region', { name: l('chapters') }).getByRole('link', { name });
  const transcript = page.locator('.transcript');
  const passage = (text: RegExp) => transcript.locator('span[data-at]', { hasText: text });
  const isCurrent = ['aria-current', 'true'] as const;

  // the player has not loaded yet, so this link itself starts playback at that time
  await notes.getByRole('link', { name: '0:20' }).press('Enter');
  await expect(bar.getByText(NAME).first()).toBeVisible();
  await expect(pause).toBeVisible();
  await expect.poll(seconds).toBeGreaterThanOrEqual(20);
  await expect(chapter('Overhead')).toHaveAttribute(...isCurrent);
  await expect(passage(/melody comes near/)).toHaveAttribute(...isCurrent);
  await notes.getByRole('link', { name: '0:45' }).press('Enter');
  await expect.poll(seconds).toBeGreaterThanOrEqual(45);
  await expect(passage(/second note is missing/)).toHaveAttribute(...isCurrent);
  await passage(/slow pulse/).click();
  await expect.poll(seconds).toBeLessThan(10);
  await expect(chapter('Rising')).toHaveAttribute(...isCurrent);
  await expect(transcript.locator('[aria-current]')).toHaveCount(1);
  await chapter('Overhead').press('Enter');
  await expect.poll(seconds).toBeGreaterThanOrEqual(20);

  const field = page.getByRole('searchbox', { name: l('find.label') });
  const found = page.getByRole('search').getByRole('status');
  await field.fill('MÉLODY');
  await expect(found).toHaveText(l('find.of', { index: '1', count: '1' }));
  await field.fill('as');
  await expect(found).toHaveText(l('find.of', { index: '1', count: '2' }));
  await field.press('Enter');
  await expect(found).toHaveText(l('find.of', { index: '2', count: '2' }));
  await field.fill('trumpet');
  await expect(found).toHaveText(l('find.none'));
  await expect(pause).toBeVisible();
  expect(errors).toEqual([]);
});

test('a link with a start time opens the episode there, and its page leads to other episodes', {
  tag: '@deep',
}, async ({ page, browser, baseURL }) => {
  await page.goto(addressOf(baseURL));
  await page.getByRole('button', { name: l('share'), exact: true }).press('Enter');
  await page.getByRole('button', { name: l('share.choose') }).press('Enter');
  await page.getByRole('textbox', { name: l('share.time') }).fill('0:31');
  const link = page.getByRole('textbox', { name: l('share.link') });
  await expect(link).toHaveValue(/#listen=\d+&at=31&playing=1$/);

  const friend = await (await browser.newContext()).newPage();
  await friend.goto(await link.inputValue());
  const { bar, seconds, pause } = barOf(friend);
  await expect(bar.getByText(NAME).first()).toBeVisible();
  await expect.poll(seconds).toBeGreaterThanOrEqual(31);
  expect(await seconds()).toBeLessThan(45);
  await expect(pause).toBeVisible();
  await hydrated(friend);
  const around = friend.getByRole('region', { name: l('around') });
  await around.getByRole('link', { name: 'For a lighthouse' }).first().press('Enter');

  await expect(friend.getByRole('heading', { level: 1, name: 'For a lighthouse' })).toBeVisible();
  await expect(pause).toBeVisible();
  await friend.close();
});

test('by keyboard alone, for a screen reader and on paper, an episode is complete', { tag: '@deep' }, async ({
  page,
  baseURL,
}) => {
  await page.goto(addressOf(baseURL));
  const { bar, pause } = barOf(page);
  const main = page.getByRole('main');
  const focused = (selector: string) => page.evaluate((each) => document.activeElement?.matches(each), selector);

  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  for (let tabs = 0; tabs < 6 && !(await focused('main [data-play]')); tabs += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(pause).toBeVisible();
  for (const [role, name] of [
    ['heading', NAME],
    ['link', 'Lullabies for Machines'],
    ['button', /^Pause ?: For a satellite$/],
    ['button', /^Save for offline ?: For a satellite$/],
    ['link', '0:20'],
    ['link', /^0:00 Rising$/],
    ['region', 'Chapters'],
    ['region', 'Transcript'],
    ['searchbox', 'Search the transcript'],
    ['region', 'People'],
    ['navigation', 'Previous and next episode'],
    ['button', 'Play For a lighthouse'],
  ] as const)
    await expect(main.getByRole(role, { name, exact: true }).first(), `${role} ${name}`).toBeVisible();
  await bar.getByRole('button', { name: t('player:expand') }).press('Enter');
  await expect(page.getByRole('dialog')).toMatchAriaSnapshot(`
    - dialog "For a satellite":
      - button "Collapse the player"
      - heading "For a satellite" [level=2]
      - slider "Position in the episode"
      - button "Pause"
      - slider "Speed"
      - combobox "Sleep timer"
      - tablist "Parts of the episode":
        - tab "Chapters" [selected]
        - tab "Transcript"
        - tab "Queue"
      - tabpanel "Chapters"
  `);
  await page.keyboard.press('Escape');
  await page.emulateMedia({ media: 'print' });

  await expect(bar).toBeHidden();
  for (const hidden of ['main [data-play]', '.transcript-search', '.around', '.site-foot'])
    await expect(page.locator(hidden).first()).toBeHidden();
  for (const shown of ['h1', '.prose', '.chapters', '.transcript', '.people'])
    await expect(page.locator(shown).first()).toBeVisible();
  expect(await page.evaluate(() => getComputedStyle(document.body).paddingBottom)).toBe('0px');
});

test('a long name moves in the player, unless the listener prefers less motion', { tag: '@deep' }, async ({
  page,
  baseURL,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto(`http://staging-awkward.${new URL(baseURL!).host}/en/p/long`);
  await page.locator('main [data-play]').first().click();
  await expect(barOf(page).pause).toBeVisible();
  const moving = () => page.evaluate(() => document.getAnimations().length);
  await expect.poll(moving).toBeGreaterThan(0);

  await page.emulateMedia({ reducedMotion: 'reduce' });

  await expect.poll(moving).toBe(0);
});
