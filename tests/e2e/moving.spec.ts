import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { LANGUAGES } from '../../locales/languages';
import { AXE, findings } from './axe';
import { at, byAddress, createProduct, nameFor, newCreator, words } from './journey';

/** The feed of a show at its new host. */
async function newHost(title: string) {
  const item =
    '<item><title>Uno</title><guid>1</guid><enclosure url="https://new.example/1.mp3" type="audio/mpeg" length="9"/></item>';
  const feed = `<?xml version="1.0"?><rss version="2.0"><channel><title>${title}</title>${item}</channel></rss>`;
  const server = http.createServer((_, response) => void response.end(feed));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed.xml`;
  return { url, close: () => server.close() };
}

for (const language of LANGUAGES)
  test(`a creator who leaves redirects the feed, and undoes it with the link of the email (${language})`, {
    tag: language === 'en' ? [] : ['@deep'],
  }, async ({ page }) => {
    const t = words(language);
    const { email, domain } = await newCreator(page);
    const name = nameFor('Mar ');
    await createProduct(page, language, name);
    const host = await newHost(name);
    try {
      await page.goto(at(language, '/profile/data'));
      await page.getByRole('link', { name: t('moving:leaving.open') }).click();
      await expect(page.getByRole('heading', { name: t('moving:leaving.title'), level: 1 })).toBeVisible();
      await page.getByRole('link', { name: `${t('moving:feeds.redirect')} ${name}` }).click();

      const address = page.getByLabel(t('moving:redirect.url'));
      const check = page.getByRole('button', { name: t('moving:redirect.check') });
      const slug = name.toLowerCase().replace(' ', '-');
      const feed = `${byAddress(page.url())}/@${domain}/p/${slug}/feed.xml`;
      await address.fill(`${new URL(page.url()).origin}/@${domain}/p/${slug}/feed.xml`);
      await check.click();
      await expect(page.getByText(t('errors:moving.own_feed'))).toBeVisible();
      await address.fill(host.url);
      await check.click();
      await expect(page.getByText(t('moving:warning.not_secure'))).toBeVisible();
      await page.getByRole('button', { name: t('moving:checked.confirm') }).click();

      await expect(page.getByRole('button', { name: t('moving:state.undo') })).toBeVisible();
      await page.evaluate(AXE);
      expect(await findings(page)).toEqual([]);
      const answer = () => page.request.get(feed, { maxRedirects: 0 });
      await expect.poll(async () => (await answer()).status()).toBe(301);
      expect((await answer()).headers().location).toBe(host.url);
      await page.goto(at(language, '/leaving'));
      await expect(page.getByText(t('moving:feeds.redirects', { url: host.url }))).toBeVisible();

      await page.evaluate(AXE);
      expect(await findings(page)).toEqual([]);

      const inbox = `${byAddress(page.url())}/_dev/inbox.json?to=${email}`;
      const links = async () => {
        const { messages } = (await (await page.request.get(inbox)).json()) as { messages: { text: string }[] };
        return messages.flatMap(({ text }) => /(?:\/es)?\/undo-redirect\?token=\S+/.exec(text) ?? []);
      };
      await expect.poll(links).toHaveLength(1);
      await page.goto((await links())[0]!);
      await page.locator('main button[type=submit]').click();
      await expect(page.getByRole('status').filter({ hasText: name })).toBeVisible();
      // the show has no episode yet, so it has no feed either
      await expect.poll(async () => (await answer()).status()).toBe(404);
    } finally {
      host.close();
    }
  });
