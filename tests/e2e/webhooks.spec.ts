import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page, test } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { LANGUAGES } from '../../locales/languages';
import { collectErrors } from './browser-errors';
import { at, hydrated, newCreator, words } from './journey';

type Message = { headers: IncomingHttpHeaders; body: string };

/** A creator's own program, which keeps what it gets. */
async function openSink() {
  const messages: Message[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    messages.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
    response.writeHead(200, { connection: 'close' }).end('Thanks');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, messages, close: () => server.close() };
}

for (const language of LANGUAGES)
  test(`a creator’s program gets signed events, once more on request, and none when it is off (${language})`, async ({
    page,
  }) => {
    const errors = collectErrors(page);
    const t = words(language);
    const sink = await openSink();
    await newCreator(page);
    await page.goto(at(language, '/profile/developers/webhooks'));
    await hydrated(page);

    await page.getByLabel(t('webhooks:new.url'), { exact: true }).fill(sink.url);
    await page.getByLabel(t('webhooks:new.description'), { exact: true }).fill('Web');
    await page.getByRole('button', { name: t('webhooks:new.submit'), exact: true }).click();
    const box = page.getByRole('status').filter({ hasText: t('webhooks:secret.title') });
    await expect(box).toBeFocused();
    await expect(box).toBeInViewport();
    await expect(page.getByLabel(t('webhooks:new.url'), { exact: true })).toHaveValue('');
    const secret = (await box.locator('code').textContent()) ?? '';

    await page.getByLabel(t('webhooks:new.kind'), { exact: true }).selectOption('slack');
    await expect(page.getByRole('checkbox')).toHaveCount(3);
    await page.getByLabel(t('webhooks:new.url'), { exact: true }).fill('https://hooks.slack.com/services/T0/B0/secret');
    await page.getByLabel(t('webhooks:event.report.ready'), { exact: true }).check();
    await page.getByRole('button', { name: t('webhooks:new.submit'), exact: true }).click();
    await expect(page.getByText(t('studio:done.webhook_added')).first()).toBeVisible();
    await expect(page.getByLabel(t('webhooks:new.url'), { exact: true })).toHaveValue('');
    await expect(page.getByRole('checkbox')).toHaveCount(24);

    await page.getByRole('link', { name: t('webhooks:list.openOf', { name: 'Web' }) }).click();
    await expect(page.getByText(t('webhooks:log.empty'))).toBeVisible();
    await hydrated(page);
    await page.getByRole('button', { name: t('webhooks:test.submit'), exact: true }).click();
    await expect.poll(() => sink.messages.length).toBe(1);
    const [{ headers, body } = { headers: {}, body: '' }] = sink.messages;
    const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
    expect(verified).toMatchObject({ type: 'episode.published', test: true });

    // a reload would end requests that the page still makes
    await page.waitForLoadState('networkidle');
    const delivered = page.getByText(t('webhooks:log.delivered'), { exact: true });
    await expect(async () => {
      await page.reload();
      await expect(delivered).toHaveCount(1, { timeout: 1000 });
    }).toPass();
    await hydrated(page);
    const [again = ''] = t('webhooks:log.againOf', { event: t('webhooks:event.episode.published') }).split('{{date}}');
    await page.getByRole('button', { name: again }).click();
    await expect.poll(() => sink.messages.length).toBe(2);
    expect(sink.messages[1]!.headers['webhook-id']).toBe(headers['webhook-id']);

    await page.waitForLoadState('networkidle');
    await pressWithAnswer(page, t('webhooks:switch.on'));
    await page.getByRole('button', { name: t('webhooks:switch.off'), exact: true }).click();
    await expect(page.getByText(t('studio:done.webhook_switched_on')).first()).toBeVisible();
    await page.getByRole('button', { name: t('webhooks:switch.off'), exact: true }).click();
    await expect(page.getByText(t('studio:done.webhook_switched_off')).first()).toBeVisible();
    await expect(page.getByRole('button', { name: t('webhooks:test.submit'), exact: true })).toHaveCount(0);

    await page.getByText(t('webhooks:remove.open'), { exact: true }).click();
    await page.getByRole('button', { name: t('webhooks:remove.submit'), exact: true }).click();
    await expect(page.getByText(t('studio:done.webhook_removed')).first()).toBeVisible();
    sink.close();
    expect(errors).toEqual([]);
  });

/** Presses a button in the moment in which the page shows the answer to the one before, earlier than a hand could. */
const pressWithAnswer = (page: Page, name: string): Promise<void> =>
  page.evaluate((label) => {
    const answered = new MutationObserver(() => {
      const button = [...document.querySelectorAll('button')].find((each) => each.textContent === label);
      if (!button || !new URLSearchParams(window.location.search).has('done')) return;
      answered.disconnect();
      button.click();
    });
    answered.observe(document.body, { childList: true, subtree: true, characterData: true });
  }, name);
