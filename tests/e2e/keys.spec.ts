import { expect, test } from '@playwright/test';
import { LANGUAGES } from '../../locales/languages';
import { collectErrors } from './browser-errors';
import { at, byAddress, hold, hydrated, newCreator, words } from './journey';

for (const language of LANGUAGES)
  test(`a creator makes a key, uses it, replaces it and revokes it (${language})`, async ({ page, request }) => {
    const errors = collectErrors(page);
    const t = words(language);
    const { password } = await newCreator(page);
    const keys = at(language, '/profile/developers');
    const created = page.getByRole('status').filter({ hasText: t('developers:created.title') });
    const callWith = async (key: string) => {
      const headers = { authorization: `Bearer ${key}`, host: new URL(page.url()).host };
      return (await request.get(`${byAddress(page.url())}/v1/shows`, { headers })).status();
    };

    await page.goto(keys);
    await hydrated(page);
    await page.getByLabel(t('developers:new.name'), { exact: true }).fill('Web');
    await page.getByLabel(t('developers:resource.shows'), { exact: true }).selectOption('read');
    await page.locator('#create-proof').fill(password);
    await page.getByRole('button', { name: t('developers:new.submit'), exact: true }).click();
    await expect(created).toBeFocused();
    await expect(page.getByLabel(t('developers:new.name'), { exact: true })).toHaveValue('');
    const first = (await created.locator('code').textContent()) ?? '';
    expect(await callWith(first)).toBe(200);

    const release = await hold(page, /\/assets\/.*\.js/);
    await page.goto(keys, { waitUntil: 'commit' });
    const overlap = page.getByLabel(t('developers:rotate.overlap'), { exact: true });
    await overlap.selectOption('none');
    release();
    await hydrated(page);
    await expect(page.getByText(first)).toHaveCount(0);
    await expect(page.getByText(t('developers:keys.ending', { lastFour: first.slice(-4) })).first()).toBeVisible();
    await page.locator('#rotate-proof').fill(password);
    await expect(overlap).toHaveValue('none');
    await page.getByRole('button', { name: t('developers:rotate.submit'), exact: true }).click();
    const second = (await created.locator('code').textContent()) ?? '';
    // every process hears of an end within a second
    await expect.poll(() => callWith(first)).toBe(401);
    expect(await callWith(second)).toBe(200);

    // until the list is loaded again, the row of the old key has the same name
    await expect(page.locator('li').filter({ hasText: `…${second.slice(-4)}` })).toBeVisible();
    await page.getByLabel(t('developers:revoke.openOf', { name: 'Web' }), { exact: true }).click();
    await page.getByRole('button', { name: t('developers:revoke.submitOf', { name: 'Web' }) }).click();
    await expect(page.getByText(t('studio:done.key_revoked')).first()).toBeVisible();
    await expect.poll(() => callWith(second)).toBe(401);
    await page.goto(at(language, '/profile/developers/requests'));
    await expect(page.getByText('GET /v1/shows').first()).toBeVisible();
    expect(errors).toEqual([]);
  });
