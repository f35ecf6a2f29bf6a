import { expect, type Page, test } from '@playwright/test';
import sharp from 'sharp';
import { mp3 } from '../support/mp3';
import { byAddress, hydrated, nameFor, words } from './journey';

const t = words('en');

/** Presses of a pointer in all documents of the page; typing and the Tab key are none. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    addEventListener(
      'pointerdown',
      () => sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1)),
      true,
    );
  });
  return () => page.evaluate(() => Number(sessionStorage.getItem('clicks')));
}

/** Types into the focused field, and moves to the next one. */
async function type(page: Page, ...texts: string[]): Promise<void> {
  for (const [i, text] of texts.entries()) {
    if (i > 0) await page.keyboard.press('Tab');
    await page.keyboard.insertText(text);
  }
}

async function choose(page: Page, button: string, file: { name: string; mimeType: string; buffer: Buffer }) {
  const opened = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button, exact: true }).first().click();
  await (await opened).setFiles(file);
}

async function codeFor(page: Page, email: string): Promise<string> {
  const read = async () => {
    const inbox = await page.request.get(`${byAddress(page.url())}/_dev/inbox.json?to=${email}`);
    const { messages } = (await inbox.json()) as { messages: { text: string }[] };
    return messages.map(({ text }) => /code: (\d{6})/.exec(text)?.[1]).find(Boolean);
  };
  await expect.poll(read).toBeTruthy();
  return (await read())!;
}

test('twelve clicks lead from the home page to a published free episode, without a refusal', async ({ page }) => {
  const clicks = await countClicks(page);
  const email = `${nameFor('nora')}@mail.example`;
  await page.goto('/');
  await page
    .getByRole('link', { name: t('marketing:home.start') })
    .first()
    .click();

  await page.getByLabel(t('auth:field.name'), { exact: true }).click();
  await type(page, nameFor('Nora '), email, 'correct horse battery');
  await page.getByLabel(t('auth:terms.terms')).check();
  await page.getByRole('button', { name: t('auth:register.submit') }).click();

  await page.getByLabel(t('studio:creator.birthDate')).click();
  await page.getByLabel(t('studio:creator.birthDate')).fill('1990-05-01');
  await expect(page.getByText(new RegExp(`· ${t('studio:address.free')}$`))).toBeVisible();
  await page.getByRole('button', { name: t('studio:creator.claim') }).click();

  const show = nameFor('Tones at Dusk ');
  await page.getByLabel(t('product:form.name'), { exact: true }).click();
  await type(page, show);
  const create = { width: 1400, height: 1400, channels: 3 as const, background: '#274F94' };
  const picture = await sharp({ create }).jpeg().toBuffer();
  await choose(page, t('studio:picture.pick'), { name: 'cover.jpg', mimeType: 'image/jpeg', buffer: picture });
  await page.getByLabel(t('product:form.description')).focus();
  await type(page, 'The sounds of the evening.');
  await page.getByLabel(t('product:form.category')).selectOption('100');
  await expect(page.getByRole('radio', { name: t('product:price.free') })).toBeChecked();
  await page.getByRole('button', { name: t('product:form.create'), exact: true }).click();

  await expect(page.getByRole('heading', { name: t('episode:create.title') })).toBeVisible();
  await hydrated(page);
  await choose(page, t('episode:file.pick'), { name: 'Evening.mp3', mimeType: 'audio/mpeg', buffer: mp3(20) });
  await expect(page.getByLabel(t('episode:form.name'), { exact: true })).toHaveValue('Evening');
  await page.locator('[contenteditable=true], textarea[name=description]').first().focus();
  await type(page, 'The first one.');
  await page.getByRole('button', { name: t('episode:send.publish'), exact: true }).click();

  await expect(page.getByText(t('studio:verify.waiting', { name: 'Evening' }))).toBeVisible();
  await page.getByLabel(t('studio:verify.code')).click();
  await page.keyboard.insertText(await codeFor(page, email));

  await expect(page.getByRole('heading', { name: t('distribution:published.title', { name: show }) })).toBeVisible({
    timeout: 30_000,
  });
  await expect(page.getByText(t('distribution:published.lead', { episode: 'Evening' }))).toBeVisible();
  expect(await clicks()).toBeLessThanOrEqual(12);
});
