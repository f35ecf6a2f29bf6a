import fs from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { mp3 } from '../support/mp3';
import { slowLine } from '../support/slow-line';
import { createProduct, nameFor, newCreator, words } from './journey';

const t = words('en');
/** About 19 MB: forty minutes of a small file's frames. */
const SECONDS = 2400;
const SLOW = 1_000_000;
const FAST = 100_000_000;

/**
 * Shows that the panel displays the server's sentence instead of retrying for ever. @returns a function that continues
 * with room on the disk
 */
async function pickOnFullDisk(page: Page, pick: () => Promise<void>): Promise<() => Promise<void>> {
  const body = JSON.stringify({ code: 'upload.disk_full', detail: words('en')('errors:upload.disk_full') });
  let refused = 0;
  await page.route('**/uploads/tus/**', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    refused += 1;
    return route.fulfill({ status: 507, contentType: 'application/json', body });
  });
  await pick();
  const alert = page.getByRole('alert').getByText(words('en')('errors:upload.disk_full'));
  // the browser passes the 19 MB body to this process, which takes long on a busy machine
  await expect(alert).toBeVisible({ timeout: 40_000 });
  await page.waitForTimeout(1500);
  expect(refused).toBe(1);
  await page.unroute('**/uploads/tus/**');
  return () => page.getByRole('button', { name: words('en')('episode:file.retry') }).click();
}

test(
  'an upload pauses, resumes, survives a lost connection and a reload, and completes',
  { tag: '@deep' },
  async ({ page, baseURL }, info) => {
    test.setTimeout(150_000);
    // a file on disk, so that its name, size and modification time are the same after the reload
    const file = info.outputPath('long.mp3');
    fs.writeFileSync(file, mp3(SECONDS));
    const line = await slowLine(Number(new URL(baseURL!).port), FAST);
    await newCreator(page);
    await createProduct(page, 'en', nameFor('Slow '));
    await page.goto(
      new URL(page.url()).pathname
        .replace(/\/?$/, '/episodes/create')
        .replace(/^/, `http://altavoz.localhost:${line.port}`),
    );
    await expect(page.getByRole('heading', { name: t('episode:create.title') })).toBeVisible();
    const pick = () => page.locator('input[type=file][accept*="mp"]').first().setInputFiles(file);
    const percent = async () => Number(await page.getByRole('progressbar').first().getAttribute('aria-valuenow'));

    const retry = await pickOnFullDisk(page, pick);
    line.bytesPerSecond = SLOW;
    await retry();
    await expect.poll(percent).toBeGreaterThan(5);
    await page.getByRole('button', { name: t('episode:file.pause') }).click();
    const paused = await percent();
    await page.waitForTimeout(1500);
    expect(await percent()).toBeLessThanOrEqual(paused + 1);
    await page.getByLabel(t('episode:form.name'), { exact: true }).fill('The long one');
    await page.getByRole('button', { name: t('episode:file.resume') }).click();
    await expect.poll(percent).toBeGreaterThan(paused + 5);

    await line.drop(1500);
    const dropped = await percent();
    expect(dropped).toBeLessThan(90);
    await expect.poll(percent, { timeout: 30_000 }).toBeGreaterThan(dropped + 5);

    await page.reload();
    await expect(page.getByLabel(t('episode:form.name'), { exact: true })).toHaveValue('The long one');
    const offsets: number[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']));
    });
    line.bytesPerSecond = FAST;
    await pick();
    await page.locator('[contenteditable=true], textarea[name=description]').first().fill('Slow and steady.');
    await page.getByRole('button', { name: t('episode:send.publish'), exact: true }).click();

    await expect(page.getByText(t('episode:status.published')).first()).toBeVisible({ timeout: 40_000 });
    expect(Math.min(...offsets)).toBeGreaterThan(0);
    await line.close();
  },
);
