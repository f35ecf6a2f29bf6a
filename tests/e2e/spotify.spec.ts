import { expect, type Page, test } from '@playwright/test';
import type { Language } from '../../locales/languages';
import { collectErrors } from './browser-errors';
import { at, createProduct, hydrated, logIn, nameFor, newCreator, payByCard, words } from './journey';
import { idOf } from './pages';

const KNOWN = '/_sandbox/spotify/known';

/** Spotify's page for agreeing, with an account that no other journey uses. */
async function agree(page: Page, account: string): Promise<void> {
  await expect(page).toHaveURL(/\/_sandbox\/spotify\/authorize\?/);
  await page.locator('summary').click();
  await page.locator('#account').fill(account);
  await page.locator('button.main').click();
  await expect(page).toHaveURL(/\/_sandbox\/spotify\/completed/);
}

/** What Spotify lets an account hear, on the page of the local one. */
async function heardBy(page: Page, account: string): Promise<string | null> {
  await page.goto(KNOWN);
  const user = page.locator('li').filter({ has: page.getByText(account, { exact: false }) });
  return (await user.count()) === 0 ? null : user.first().locator('code').textContent();
}

async function setStatus(page: Page, show: string, status: string): Promise<void> {
  await page.goto(KNOWN);
  const item = page.locator('li').filter({ has: page.getByText(show, { exact: true }) });
  await item.locator('select').selectOption(status);
  await item.locator('button').click();
  await expect(item.locator('select')).toHaveValue(status);
}

const rowOf = (page: Page, show: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: show });

test('a creator links an account, publishes a show, and sees it approved, listed and withdrawn', async ({ page }) => {
  test.slow();
  const errors = collectErrors(page);
  const [t, show, account] = [words('en'), nameFor('Tides '), nameFor('tides-').toLowerCase()];
  const { domain } = await newCreator(page);
  await createProduct(page, 'en', show);
  await page.goto('/spotify');
  await expect(page.getByText(t('spotify:shows.linkFirst'))).toBeVisible();
  await expect(rowOf(page, show).getByText(t('spotify:state.none'))).toBeVisible();
  await expect(rowOf(page, show).getByRole('button')).toHaveCount(0);

  await hydrated(page);
  await page.getByRole('button', { name: t('spotify:account.link') }).click();
  await agree(page, account);
  await page.locator('main a').click();
  await expect(page.getByText(t('spotify:account.linked', { name: account }))).toBeVisible();
  await expect(page.getByText(t('spotify:shows.approval'))).toBeVisible();
  await hydrated(page);
  await rowOf(page, show)
    .getByRole('button', { name: t('spotify:shows.publish') })
    .click();
  await expect(page.getByText(t('studio:done.spotify_published')).first()).toBeVisible();
  await expect(async () => {
    await page.goto('/spotify');
    await expect(rowOf(page, show).getByText(t('spotify:state.submitted'))).toBeVisible({ timeout: 1000 });
  }).toPass();

  await setStatus(page, show, 'ingested but failed validation');
  await page.goto('/spotify');
  await rowOf(page, show)
    .getByRole('button', { name: t('spotify:shows.check') })
    .click();
  await expect(rowOf(page, show).getByText(t('spotify:state.rejected'))).toBeVisible();
  await expect(rowOf(page, show).getByText('The feed has no owner address.')).toBeVisible();
  await setStatus(page, show, 'ingested and valid');
  await page.goto('/spotify');
  await rowOf(page, show)
    .getByRole('button', { name: t('spotify:shows.check') })
    .click();
  await expect(rowOf(page, show).getByText(t('spotify:state.live'))).toBeVisible();
  const address = await rowOf(page, show)
    .getByRole('link', { name: t('spotify:shows.open') })
    .getAttribute('href');
  expect(address).toMatch(/^https:\/\/open\.spotify\.com\/show\/\w+$/);
  expect(await heardBy(page, account)).toMatch(/^show_\d+$/);

  await page.goto(`/@${domain}`);
  await page.getByRole('main').getByRole('link', { name: show }).first().click();
  await expect(page.locator('.listings').getByRole('link', { name: 'Spotify' })).toHaveAttribute('href', address!);

  await page.goto('/spotify');
  await rowOf(page, show)
    .getByRole('button', { name: t('spotify:shows.withdraw') })
    .click();
  await expect(async () => {
    await page.goto('/spotify');
    await expect(rowOf(page, show).getByText(t('spotify:state.removed'))).toBeVisible({ timeout: 1000 });
  }).toPass();
  expect(errors).toEqual([]);
});

test('a refusal is shown with what helps, in both languages', async ({ page }) => {
  await logIn(page, 'ada@altavoz.example');
  for (const language of ['en', 'es'] as const) {
    const t = words(language);
    await page.goto(at(language, '/spotify'));
    const refused = rowOf(page, 'A Few Seconds of Hum');
    await expect(refused.getByText(t('spotify:state.refused'))).toBeVisible();
    await expect(refused.getByText(t('errors:spotify.duplicate_show'))).toBeVisible();
    await expect(refused.getByRole('button', { name: t('spotify:shows.republish') })).toBeVisible();
    const drips = rowOf(page, 'A Field Guide to Hums');
    await expect(drips.getByText(t('errors:spotify.show_drips'))).toBeVisible();
    await expect(drips.getByRole('button')).toHaveCount(0);
  }
});

test('a listener who cancels at Spotify reads why there is no link', async ({ page }) => {
  const t = words('es');
  await logIn(page, 'eva@altavoz.example');
  await page.goto('/es/spotify');
  await page.getByRole('button', { name: t('spotify:account.link') }).click();
  await page.locator('form.deny button').click();

  // Spotify returns to one address, so the page is in the account's language
  await expect(page).toHaveURL(/\/spotify\?problem=access_denied/);
  await expect(page.getByRole('alert')).toBeVisible();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  async function signUp(page: Page, language: Language): Promise<void> {
    const t = words(language);
    await page.goto(at(language, '/register'));
    await page.getByLabel(t('auth:field.name'), { exact: true }).fill('Olmo Prueba');
    await page.getByLabel(t('auth:field.email')).fill(`${nameFor('olmo')}@mail.example`);
    await page.getByLabel(t('auth:field.password'), { exact: true }).fill('correct horse battery');
    const country = page.getByLabel(t('auth:field.country'));
    if (!(await country.isVisible())) await page.locator('details:has([name=country]) > summary').click();
    await country.selectOption('ES');
    await page.getByLabel(t('auth:terms.terms')).check();
    await page.getByRole('button', { name: t('auth:register.submit') }).click();
    await expect(page).toHaveURL(/\/start\/reason/);
  }

  async function subscribe(page: Page, language: Language, slug: string): Promise<void> {
    await page.goto(at(language, `/register/payment?product=${idOf(slug)}`));
    for (const name of ['adult', 'terms']) {
      const box = page.locator(`#content [name=${name}]`);
      if ((await box.count()) > 0) await box.check();
    }
    const t = words(language);
    const pay = page.getByRole('button', { name: t('buying:pay.submit') });
    // a show with free days
    await pay.or(page.getByRole('button', { name: t('buying:pay.submitTrial') })).click();
    await payByCard(page);
    await expect(page).toHaveURL(/\/thanks/);
  }

  test('a listener links an account from the private feed, buys another show, and unlinks', async ({ page }) => {
    test.slow();
    const t = words('es');
    const account = nameFor('olmo-').toLowerCase();
    const [tunes, nights] = [`show_${idOf('after-hours')}`, `show_${idOf('noches-de-taller')}`];
    await signUp(page, 'es');
    await subscribe(page, 'es', 'after-hours');
    await page.goto(`/es/feed/${idOf('after-hours')}`);
    await page.getByRole('link', { name: t('follow:links.linkSpotify') }).click();
    await page.getByRole('button', { name: t('spotify:account.link') }).click();
    await agree(page, account);
    expect(await heardBy(page, account)).toBe(tunes);

    await subscribe(page, 'es', 'noches-de-taller');
    await expect.poll(() => heardBy(page, account)).toBe(`${nights}, ${tunes}`);
    await page.goto(`/es/feed/${idOf('noches-de-taller')}`);
    await expect(page.getByRole('link', { name: t('follow:links.onSpotify') })).toHaveAttribute(
      'href',
      /open\.spotify/,
    );

    await page.goto('/es/spotify');
    await page.getByRole('button', { name: t('spotify:account.unlink') }).click();
    await expect(page.getByText(t('spotify:account.unlinked'))).toBeVisible();
    await expect.poll(() => heardBy(page, account)).toBeNull();
  });
});
