import { type APIResponse, expect, type Page, test } from '@playwright/test';
import { mp3 } from '../support/mp3';
import { collectErrors } from './browser-errors';
import { byAddress, hydrated, logIn, words } from './journey';
import { idOf } from './pages';

const t = words('es');
const SHOW = `/es/podcasts/${idOf('noches-de-taller')}`;
const SECONDS = { uploaded: 4, recorded: 2 };

/** Speaks into the microphone of the browser, which beeps by itself. */
async function record(page: Page): Promise<void> {
  await page.getByRole('button', { name: t('sound:record.start'), exact: true }).click();
  await expect(page.getByText(/^0:02/)).toBeVisible();
  await page.getByRole('button', { name: t('sound:record.stop'), exact: true }).click();
  await expect(page.getByText(t('sound:record.done'))).toBeVisible();
}

const isUploaded = (page: Page, name: RegExp) =>
  expect(page.getByRole('progressbar', { name })).toHaveAttribute('aria-valuenow', '100');

/** Keeps uploads waiting. @returns lets them through */
async function holdUploads(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/uploads/tus/**', async (route) => {
    await held;
    await route.continue();
  });
  // the route stays: removing it would let the waiting request through twice
  return release;
}

async function openForm(page: Page, name: string): Promise<void> {
  await page.goto(`${SHOW}/audio-insertion/create`);
  await hydrated(page);
  const field = page.getByLabel(t('campaigns:form.name'), { exact: true });
  await expect(field).toHaveValue('');
  await field.fill(name);
}

/** Saves the form of a campaign, and waits until its clips are converted. */
async function saveAndRun(page: Page): Promise<void> {
  await page.getByRole('button', { name: t('campaigns:form.submit'), exact: true }).click();
  await waitUntilRunning(page);
}

async function waitUntilRunning(page: Page): Promise<void> {
  await expect(page.getByText(t('studio:done.campaign_created')).first()).toBeVisible();
  await expect(async () => {
    await page.reload();
    await expect(page.getByText(t('campaigns:state.running'), { exact: true })).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 30_000 });
}

/** Follows redirects itself, because Node may not know the names of hosts below localhost. */
async function openByAddress(page: Page, url: string, userAgent: string): Promise<APIResponse> {
  const { host, pathname, search } = new URL(url);
  const headers = { 'user-agent': userAgent, host };
  const answer = await page.request.get(byAddress(url) + pathname + search, { headers, maxRedirects: 0 });
  const { location } = answer.headers();
  return location ? openByAddress(page, new URL(location, url).href, userAgent) : answer;
}

/** The bytes to which the public feed leads a new app for its newest episode. */
async function heardInFeed(page: Page, app: string): Promise<{ bytes: number; stated: number; seconds: number }> {
  const open = (url: string) => openByAddress(page, url, `${app}/1.0`);
  const xml = await (await open(`${new URL(page.url()).origin}/@lucia/p/noches-de-taller/feed.xml`)).text();
  const [, enclosure = ''] = /<enclosure([^>]*)>/.exec(xml) ?? [];
  const value = (name: string) => new RegExp(`${name}="([^"]+)"`).exec(enclosure)![1]!.replaceAll('&amp;', '&');
  const audio = await open(value('url'));
  expect(audio.status()).toBe(200);
  const [, clock = ''] = /<itunes:duration>([\d:]+)</.exec(xml) ?? [];
  const seconds = clock.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
  return { bytes: (await audio.body()).length, stated: Number(value('length')), seconds };
}

test('listeners of the public feed get a clip that was uploaded, and another one that was recorded in the browser', async ({
  page,
}) => {
  test.slow();
  const errors = collectErrors(page);
  await logIn(page, 'lucia@altavoz.example');
  const alone = await heardInFeed(page, 'One');

  await openForm(page, 'Bodegas Mar');
  const buffer = mp3(SECONDS.uploaded);
  await page.locator('input[type=file]').setInputFiles({ name: 'bodegas.mp3', mimeType: 'audio/mpeg', buffer });
  await isUploaded(page, /bodegas\.mp3/);
  await saveAndRun(page);
  const withOne = await heardInFeed(page, 'Two');

  await openForm(page, 'Hasta luego');
  await page.getByLabel(t('campaigns:form.place.post')).check();
  await record(page);
  // nothing is saved without the recording
  await page.getByRole('button', { name: t('campaigns:form.submit'), exact: true }).click();
  await expect(page.getByText(t('sound:record.keepFirst'))).toBeVisible();
  const arrive = await holdUploads(page);
  await page.getByRole('button', { name: t('sound:record.keep'), exact: true }).click();
  // the form waits for the file
  await page.getByRole('button', { name: t('campaigns:form.submit'), exact: true }).click();
  await expect(page.getByRole('button', { name: t('studio:wait.stop'), exact: true })).toBeVisible();
  arrive();
  await waitUntilRunning(page);
  const withBoth = await heardInFeed(page, 'Three');

  const bytesPerSecond = alone.bytes / alone.seconds;
  expect((withOne.bytes - alone.bytes) / bytesPerSecond).toBeCloseTo(SECONDS.uploaded, 0);
  expect((withBoth.bytes - withOne.bytes) / bytesPerSecond).toBeGreaterThan(SECONDS.recorded - 0.1);
  for (const { bytes, stated } of [alone, withOne, withBoth]) expect(stated).toBe(bytes);
  expect(errors).toEqual([]);
});

test('without a microphone the form says so, and still takes a file', { tag: '@deep' }, async ({ page }) => {
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotFoundError'));
  });
  await logIn(page, 'lucia@altavoz.example');
  await page.goto(`/es/audio-series/${idOf('cuatro-estaciones')}/audio-insertion/places`);
  await hydrated(page);

  await page.getByRole('button', { name: t('sound:record.start'), exact: true }).click();

  await expect(page.getByRole('alert')).toHaveText(t('sound:record.problem.missing'));
  await expect(page.getByRole('button', { name: t('sound:record.retry') })).toBeFocused();
  await expect(page.getByRole('button', { name: t('episode:file.pick') })).toBeEnabled();
});

test('a clip is cut from an episode for the campaign that needs it, whose form keeps what was typed', {
  tag: '@deep',
}, async ({ page }) => {
  await logIn(page, 'lucia@altavoz.example');
  await page.goto(`/es/audio-series/${idOf('cuatro-estaciones')}/audio-insertion/create`);
  await hydrated(page);
  await page.getByLabel(t('campaigns:form.name'), { exact: true }).fill('Estaciones');
  // also what was refused
  await page.getByRole('button', { name: t('campaigns:form.submit'), exact: true }).click();
  await expect(page.getByText(t('errors:campaign.clip_required'))).toBeVisible();
  await page.getByRole('link', { name: t('campaigns:form.cutClip') }).click();
  const start = page.getByRole('slider', { name: t('sound:passage.startMark') });
  await start.press('ArrowRight');
  await expect(start).not.toHaveAttribute('aria-valuetext', '0:00');
  await page.getByLabel(t('places:cut.name')).fill('Lo mejor');
  await page.getByRole('button', { name: t('places:cut.save') }).click();

  await expect(page.getByRole('checkbox', { name: /^Lo mejor/ })).toBeChecked();
  await expect(page.getByLabel(t('campaigns:form.name'), { exact: true })).toHaveValue('Estaciones');
});
