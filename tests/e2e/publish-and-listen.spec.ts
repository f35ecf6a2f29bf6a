import { devices, expect, type Locator, type Page, test } from '@playwright/test';
import { LANGUAGES, type Language } from '../../locales/languages';
import { isDeep } from '../support/deep';
import {
  byAddress,
  claim,
  createProduct,
  hydrated,
  nameFor,
  publishEpisode,
  register,
  verifyEmail,
  words,
} from './journey';
import { nearlyAListen } from './nearly-a-listen';

/** A listen counts after more than 60 seconds of playback, which takes longer if a busy machine interrupts it. */
const COUNTED_AFTER = 180_000;
const EPISODE_SECONDS = isDeep ? 240 : 60;

/** The English journey waits for the whole minute; the Spanish one starts near its end. */
const REAL_MINUTE_IN: Language = 'en';
/** A normal run takes this journey in Spanish, because the journeys with forms are in English. */
const TAKEN_IN: readonly Language[] = isDeep ? LANGUAGES : ['es'];

/** Pauses, sets the counter to nearly a listen, and plays again. */
async function pretendToHaveListened(page: Page, player: Locator, t: ReturnType<typeof words>): Promise<void> {
  await player.getByRole('button', { name: t('player:pause'), exact: true }).click();
  const play = player.getByRole('button', { name: t('player:play'), exact: true });
  await expect(play).toBeVisible();
  await nearlyAListen(page);
  await play.click();
  await expect(player.getByRole('button', { name: t('player:pause'), exact: true })).toBeVisible();
}

const reportOf = (listener: Page) =>
  listener.waitForResponse((r) => r.url().includes('/trpc/listening.countMinutes') && r.ok(), {
    timeout: COUNTED_AFTER,
  });

/** The player has reported the minute that was really played, and the creator reads it beside the episode. */
async function expectHeardMinute(page: Page, show: string, t: ReturnType<typeof words>): Promise<void> {
  await page.goto(`${show}/metric`);
  await page.locator('main a[href$="/metric"]', { hasText: 'Primera ola' }).click();
  await expect(page.getByRole('heading', { name: t('statistics:retention.title') })).toBeVisible();
  await expect(page.getByText(t('statistics:retention.people_one', { number: '1' })).first()).toBeVisible();
}

/**
 * Delays reading files, as on a busy machine, so that the user types an episode's name while its file is still being
 * read.
 */
async function readFilesSlowly(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const read = Blob.prototype.arrayBuffer;
    Blob.prototype.arrayBuffer = async function () {
      await new Promise((resolve) => setTimeout(resolve, 500));
      return read.call(this);
    };
  });
}

/** @returns the domain of a new creator page */
async function becomeCreator(page: Page, language: Language): Promise<string> {
  const person = await register(page, language);
  await verifyEmail(page, language, person);
  return claim(page, language);
}

for (const language of TAKEN_IN) {
  test(`a creator publishes an episode, and a listener's listen counts (${language})`, { tag: '@sample' }, async ({
    page,
    browser,
    baseURL,
  }) => {
    test.setTimeout(300_000);
    const t = words(language);
    const product = nameFor('Olas ');

    await readFilesSlowly(page);
    const domain = await becomeCreator(page, language);
    await createProduct(page, language, product);
    const show = new URL(page.url()).pathname.replace(/\/$/, '');
    await publishEpisode(page, language, 'Primera ola', EPISODE_SECONDS);

    const root = new URL(baseURL!).host;
    // minutes heard by a headless browser do not count
    const { userAgent } = devices['Desktop Chrome'];
    const listener = await (await browser.newContext({ userAgent })).newPage();
    await listener.goto(`http://staging-${domain}.${root}${language === 'es' ? '/es' : ''}`);
    await hydrated(listener);
    await listener.getByRole('link', { name: product }).first().click();
    // the creator's page has the same play button, and going back from there would leave the site
    await expect(listener.getByRole('heading', { level: 1, name: product })).toBeVisible();
    await listener
      .getByRole('button', { name: t('player:playEpisode', { name: 'Primera ola' }) })
      .first()
      .click();
    const player = listener.getByRole('region', { name: t('player:player') });
    await expect(player.getByRole('button', { name: t('player:pause'), exact: true })).toBeVisible();
    if (language !== REAL_MINUTE_IN) await pretendToHaveListened(listener, player, t);
    // a ticket that was issued a moment after the sound started is refused once, and the player tries again
    const counted = listener.waitForResponse((r) => r.url().includes('/trpc/listening.record') && r.ok(), {
      timeout: COUNTED_AFTER,
    });
    // the player reports minutes about once a minute; the other journey skips the one it would report
    const reported = language === REAL_MINUTE_IN ? reportOf(listener) : null;
    await listener.goBack();
    await expect(player.getByRole('button', { name: t('player:pause'), exact: true })).toBeVisible();
    await counted;

    await page.goto(language === 'es' ? '/es/dashboard' : '/dashboard');
    const listens = page.locator('dl > div', { hasText: t('studio:plays.listens') }).locator('dd');
    await expect(listens).toHaveText('1');
    if (language !== REAL_MINUTE_IN) return;
    await reported;
    await expectHeardMinute(page, show, t);
  });
}

test('without JavaScript a listener finds, reads and plays an episode, in both languages', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const root = new URL(baseURL!).host;

  await page.goto(`http://staging-lucia.${root}/es`);
  await page.getByRole('link', { name: 'Postales sonoras' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Postales sonoras' })).toBeVisible();
  await page.getByRole('link', { name: 'Playa de invierno' }).click();

  const audio = page.locator('audio[controls]').first();
  await expect(audio).toBeVisible();
  const source = (await audio.getAttribute('src')) ?? (await audio.locator('source').getAttribute('src'));
  const bytes = await page.request.get(byAddress(baseURL!) + source, { headers: { range: 'bytes=0-99' } });
  expect([bytes.status(), bytes.headers()['content-type']]).toEqual([206, 'audio/mpeg']);
  await expect(page.locator('link[type="application/rss+xml"]')).toHaveCount(1);
  await page.goto(`http://staging-ada.${root}/p/lullabies`);
  await expect(page.getByText('For a satellite').first()).toBeVisible();
});
