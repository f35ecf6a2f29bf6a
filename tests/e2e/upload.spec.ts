import { type CDPSession, expect, type Page, test } from '@playwright/test';
import { mp3 } from '../support/mp3';
import { claim, createProduct, nameFor, register, words } from './journey';

const t = words('en');
/** About 19 MB: forty minutes of a small file's frames. */
const FILE = { name: 'long.mp3', mimeType: 'audio/mpeg', buffer: mp3(2400) };

async function openForm(page: Page): Promise<CDPSession> {
  await register(page, 'en');
  await claim(page, 'en');
  await createProduct(page, 'en', nameFor('Slow '));
  await page
    .getByRole('link', { name: t('product:show.newEpisode') })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: t('episode:create.title') })).toBeVisible();
  const line = await page.context().newCDPSession(page);
  await setSpeed(line, 500_000);
  return line;
}

const setSpeed = (line: CDPSession, bytesPerSecond: number) =>
  line.send('Network.emulateNetworkConditions', {
    offline: bytesPerSecond === 0,
    latency: 5,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  });

test('an upload pauses, resumes, outlives a dropped line and a reload, and arrives whole', async ({ page }) => {
  test.setTimeout(120_000);
  const line = await openForm(page);
  const pick = () => page.locator('input[type=file][accept*="mp"]').first().setInputFiles(FILE);
  const progress = page.getByRole('progressbar').first();
  const percent = async () => Number(await progress.getAttribute('aria-valuenow'));

  await pick();
  await expect.poll(percent).toBeGreaterThan(5);
  await page.getByRole('button', { name: t('episode:file.pause') }).click();
  const paused = await percent();
  await page.waitForTimeout(1500);
  expect(await percent()).toBeLessThanOrEqual(paused + 1);
  await page.getByLabel(t('episode:form.name'), { exact: true }).fill('The long one');
  await page.getByRole('button', { name: t('episode:file.resume') }).click();
  await expect.poll(percent).toBeGreaterThan(paused + 3);

  await setSpeed(line, 0);
  await page.waitForTimeout(1500);
  await setSpeed(line, 500_000);
  const afterDrop = await percent();
  await expect.poll(percent, { timeout: 30_000 }).toBeGreaterThan(afterDrop);

  await page.reload();
  await expect(page.getByLabel(t('episode:form.name'), { exact: true })).toHaveValue('The long one');
  const offsets: number[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']));
  });
  await setSpeed(line, -1);
  await pick();
  await page.locator('[contenteditable=true], textarea[name=description]').first().fill('Slow and steady.');
  await page.getByRole('button', { name: t('episode:send.publish'), exact: true }).click();

  await expect(page.getByText(t('episode:status.published')).first()).toBeVisible({ timeout: 40_000 });
  expect(Math.min(...offsets)).toBeGreaterThan(0);
});
