import fs from 'node:fs';
import { expect, type Locator, type Page, test } from '@playwright/test';
import type { Language } from '../../locales/languages';
import { mp3 } from '../support/mp3';
import { collectErrors } from './browser-errors';
import { at, hydrated, logIn, nameFor, words } from './journey';
import { idOf } from './pages';

const WORD = fs.readFileSync('tests/app/clipboard/word.txt', 'utf8');

/** Drags a file over the page and drops it, like a mouse. */
async function dropFile(page: Page, name: string, bytes: Buffer): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([base64, fileName]) => {
      const transfer = new DataTransfer();
      const content = Uint8Array.from(atob(base64!), (character) => character.charCodeAt(0));
      transfer.items.add(new File([content], fileName!, { type: 'audio/mpeg' }));
      return transfer;
    },
    [bytes.toString('base64'), name],
  );
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('main', type, { dataTransfer });
}

async function pasteHtml(editor: Locator, html: string): Promise<void> {
  await editor.evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', text);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, html);
}

/** Drops a file on the form of a new episode. Ends on the draft's page, once its audio has been checked. */
async function saveDraft(page: Page, language: Language, { show, seconds }: { show: string; seconds: number }) {
  const t = words(language);
  const name = nameFor('drop');
  await page.goto(at(language, `${show}/episodes/create`));
  await hydrated(page);
  await dropFile(page, `${name}.mp3`, mp3(seconds));
  await expect(page.getByLabel(t('episode:form.name'), { exact: true })).toHaveValue(name);
  await page.getByRole('radio', { name: t('episode:release.draft') }).check();
  return { name, editor: page.locator('[contenteditable=true]'), t };
}

async function submitDraft(page: Page, t: ReturnType<typeof words>): Promise<void> {
  await page.getByRole('button', { name: t('episode:send.draft'), exact: true }).click();
  await expect(page.getByRole('link', { name: t('episode:tabs.chapters'), exact: true })).toBeVisible();
}

test('a dropped file, a formatted text and a pasted one make a draft, which a link previews', async ({
  page,
  browser,
}) => {
  await logIn(page, 'lucia@altavoz.example');
  const { name, editor, t } = await saveDraft(page, 'en', { show: '/en/podcasts/1', seconds: 3 });
  const tool = (label: string) => page.getByRole('button', { name: t(`studio:editor.${label}`), exact: true });

  await editor.click();
  await tool('bold').click();
  await page.keyboard.type('Loud');
  await tool('bold').click();
  await page.keyboard.type(' and linked');
  await page.keyboard.press('Shift+Control+ArrowLeft');
  await tool('link').click();
  await page.getByLabel(t('studio:editor.address')).fill('example.com/notes');
  await page.getByRole('button', { name: t('studio:editor.apply'), exact: true }).click();
  // the editor takes the focus back a moment later, so this selects the word again
  await expect(editor.getByRole('link', { name: 'linked' })).toBeVisible();
  await expect(async () => {
    await editor.press('Control+End');
    expect(await page.evaluate(() => getSelection()?.isCollapsed)).toBe(true);
    await page.waitForTimeout(100);
    expect(await page.evaluate(() => getSelection()?.isCollapsed)).toBe(true);
  }).toPass();
  await page.keyboard.press('Enter');
  await pasteHtml(editor, WORD);
  await submitDraft(page, t);

  const link = page.locator('details').filter({ hasText: t('episode:previewLink.title') });
  await link.locator('summary').click();
  const address = (await link.getByRole('link').getAttribute('href'))!;
  const friend = await (await browser.newContext()).newPage();
  await friend.goto(address);
  await expect(friend.getByRole('heading', { name, level: 1 })).toBeVisible();
  await expect(friend.locator('audio')).toHaveAttribute('src', /.+/);
  const text = friend.locator('main').filter({ hasText: 'Loud' });
  await expect(text.locator('strong', { hasText: 'Loud' })).toBeVisible();
  await expect(text.getByRole('link', { name: 'linked' })).toHaveAttribute('href', 'https://example.com/notes');
  expect(await text.innerHTML()).not.toMatch(/mso|MsoNormal|<o:p|<font|style="[^"]*(?:margin|font)/i);

  // the form shows the same link
  await page.getByRole('link', { name: t('episode:action.edit'), exact: true }).click();
  await expect(page.getByLabel(t('episode:form.name'), { exact: true })).toHaveValue(name);
  await link.locator('summary').click();
  await expect(link.getByRole('link')).toHaveAttribute('href', /preview/);
  await expect(link.getByRole('button', { name: t('episode:previewLink.copy') })).toBeVisible();

  await page.goBack();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  await link.locator('summary').click();
  await link.getByRole('button', { name: t('episode:previewLink.revoke') }).click();
  await expect(page.getByText(t('studio:done.previews_revoked')).first()).toBeVisible();
  const answer = await friend.reload();
  expect(answer?.status()).toBeGreaterThanOrEqual(400);
});

test('una serie recibe capítulos y un promo del audio que se soltó', { tag: '@deep' }, async ({ page }) => {
  await logIn(page, 'ada@altavoz.example');
  const { editor, t } = await saveDraft(page, 'es', {
    show: `/audio-series/${idOf('field-guide-to-hums')}`,
    seconds: 5,
  });
  await editor.fill('De qué va.');
  await submitDraft(page, t);
  const draft = page.url();

  await page.getByRole('link', { name: t('episode:tabs.chapters'), exact: true }).click();
  for (const [index, title] of ['Entrada', 'Salida'].entries()) {
    await page
      .getByLabel(t('episode:chapters.time'))
      .nth(index)
      .fill(`0:0${index * 2}`);
    await page.getByLabel(t('episode:chapters.name')).nth(index).fill(title);
  }
  await page.getByRole('button', { name: t('episode:chapters.save'), exact: true }).click();
  await expect(page.getByText(t('studio:done.chapters_saved')).first()).toBeVisible();
  await page.goto(`${draft.split('?')[0]}/chapters`);
  await expect(page.getByLabel(t('episode:chapters.name')).nth(1)).toHaveValue('Salida');

  await page.goto(draft);
  await page.getByRole('link', { name: t('episode:tabs.promo'), exact: true }).click();
  const errors = collectErrors(page);
  const file = { name: 'promo.mp3', mimeType: 'audio/mpeg', buffer: mp3(2) };
  const use = page.getByRole('button', { name: t('episode:promo.use'), exact: true });
  await page.locator('input[type=file]').setInputFiles(file);
  await expect(use).toBeEnabled();
  // an upload of an earlier visit waits to be used
  await page.reload();
  await expect(page.getByText('promo.mp3')).toBeVisible();
  await expect(use).toBeEnabled();
  await page.getByLabel(t('sound:passage.end'), { exact: true }).fill('0:02');
  await page.getByRole('button', { name: t('episode:promo.cut'), exact: true }).click();
  await expect(page.getByText(t('studio:done.promo_saved')).first()).toBeVisible();
  await expect(page.getByText(t('episode:promo.length', { length: '0:02' })).first()).toBeVisible();
  expect(errors).toEqual([]);

  // the page after an error page adds its styles again
  await page.route('**/promo.data*', (route) => route.fulfill({ status: 500 }));
  await page
    .getByRole('button', { name: t('episode:promo.delete') })
    .first()
    .click();
  await expect(page.locator('.error-page')).toBeVisible();
  await page.unroute('**/promo.data*');
  await page.goBack();
  await expect(page.getByRole('heading', { name: t('episode:tabs.promo'), exact: true })).toBeVisible();
  expect(errors.filter((error) => error.includes('Content Security Policy'))).toEqual([]);
});

test('an episode that failed has no promo to add, and its form finds out by itself how a check ended', {
  tag: '@deep',
}, async ({ page }) => {
  const t = words('en');
  const name = 'Tranvía (grabación de campo)';
  await logIn(page, 'lucia@altavoz.example');
  await page.goto('/en/podcasts/1');
  await page.goto('/en/podcasts/1/promotions');
  const row = page.getByRole('listitem').filter({ hasText: name });
  await expect(row.getByText(t('episode:promo.needsAudio'))).toBeVisible();
  await expect(row.getByRole('link', { name: t('episode:promo.add') })).toHaveCount(0);

  // the first answer comes from before the check has ended, and the next one waits until the test has seen it
  await hydrated(page);
  await page.evaluate(() => {
    const { fetch } = window;
    let isFirst = true;
    window.fetch = async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
      if (!/\/episodes\/edit\/\d+\.data$/.test(pathname)) return fetch(input, init);
      if (!isFirst) await new Promise<void>((resolve) => Object.assign(window, { goOn: resolve }));
      const response = await fetch(input, init);
      if (!isFirst) return response;
      isFirst = false;
      const body = await response.text();
      return new Response(body.replace('"failed"', '"in_progress"'), response);
    };
  });
  await row.getByRole('link', { name }).click();
  await page.getByRole('link', { name: t('episode:action.otherFile'), exact: true }).click();
  const failed = page.getByRole('alert').filter({ hasText: t('episode:failed.help') });
  await expect(page.getByRole('heading', { name: t('episode:edit.title') })).toBeVisible();
  await expect(page.getByText(t('episode:release.keep.in_progress')).first()).toBeVisible();
  await page.waitForFunction(() => 'goOn' in window);
  await page.evaluate(() => (window as unknown as { goOn(): void }).goOn());
  await expect(failed).toBeVisible();
});
