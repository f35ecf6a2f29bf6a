import fs from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import sharp from 'sharp';
import type { Language } from '../../locales/languages';
import { DEMO_PASSWORD } from '../../server/seed/cast';
import { mp3 } from '../support/mp3';

/** Reads a text as the page shows it, so that one journey runs in both languages. */
export function words(language: Language) {
  return (key: string, values: Record<string, string> = {}): string => {
    const [namespace, name] = key.split(':') as [string, string];
    const texts = JSON.parse(fs.readFileSync(path.resolve(`locales/${language}/${namespace}.json`), 'utf8'));
    if (typeof texts[name] !== 'string') throw new Error(`no text ${language} ${key}`);
    return Object.entries(values).reduce((text, [k, v]) => text.replace(`{{${k}}}`, v), texts[name] as string);
  };
}

/** Adds `/es` to the paths of Spanish pages. */
export const at = (language: Language, page: string) => (language === 'en' ? page : `/${language}${page}`);

export const nameFor = (title: string) => `${title}${Math.random().toString(36).slice(2, 8)}`;

/**
 * Loads the app, which most pages do only on demand, and waits for hydration: before it, a link loads a new document.
 * React hydrates the content after the player bar.
 */
export async function hydrated(page: Page): Promise<void> {
  await page.evaluate(() => window.startApp?.());
  await page.waitForFunction(() => {
    const link = document.querySelector('main a[href]');
    return link !== null && 'playerReady' in window && Object.keys(link).some((key) => key.startsWith('__reactProps'));
  });
}

/** Holds the requests whose URL matches. @returns a function that releases them */
export async function hold(page: Page, address: RegExp, onRequest: (url: string) => void = () => {}) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    onRequest(route.request().url());
    await released;
    // the page may have aborted it
    await route.continue().catch(() => {});
  });
  return () => release();
}

export type NewPerson = { email: string; password: string; name: string };

/** Signs up; ends in the studio. */
export async function register(page: Page, language: Language): Promise<NewPerson> {
  const t = words(language);
  const person = { name: 'Inés Prueba', email: `${nameFor('ines')}@mail.example`, password: 'correct horse battery' };
  await page.goto(at(language, '/register'));
  await page.getByLabel(t('auth:field.name'), { exact: true }).fill(person.name);
  await page.getByLabel(t('auth:field.email')).fill(person.email);
  await page.getByLabel(t('auth:field.password'), { exact: true }).fill(person.password);
  await chooseCountry(page, language);
  await page.getByLabel(t('auth:terms.terms')).check();
  await page.getByRole('button', { name: t('auth:register.submit') }).click();
  await expect(page).toHaveURL(/\/start\/reason/);
  return person;
}

/** The browser's language may have a region, whose country is suggested in one line. */
export async function chooseCountry(page: Page, language: Language): Promise<void> {
  const field = page.getByLabel(words(language)('auth:field.country'));
  if (!(await field.isVisible())) await page.locator('details:has([name=country]) > summary').click();
  await field.selectOption('ES');
}

/** Opens the menu of an episode's page. */
export const openMore = (page: Page, language: Language = 'en') =>
  page.locator(`main details:not([open]) > summary[aria-label="${words(language)('episode:action.more')}"]`).click();

/** Logs out. Leaving the page first ends its requests, whose answers could restore the session's cookie. */
export async function forgetSession(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies();
}

/** Logs in as a person of the demo. */
export async function logIn(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await callProcedure(page, 'accounts.logIn', { email, password: DEMO_PASSWORD });
}

/** Browsers resolve names below localhost, but Node may not, so requests outside the browser use the IP address. */
export const byAddress = (url: string) => `http://127.0.0.1:${new URL(url).port}`;

/** The token of the link that verifies an address. Publishing waits for it. */
async function verificationToken(page: Page, email: string): Promise<string> {
  const read = async () => {
    const inbox = await page.request.get(`${byAddress(page.url())}/_dev/inbox.json?to=${email}`);
    const { messages } = (await inbox.json()) as { messages: { text: string }[] };
    return messages.map(({ text }) => /verify-email\?token=(\S+)/.exec(text)?.[1]).find(Boolean);
  };
  await expect.poll(read).toBeTruthy();
  return (await read())!;
}

/** Follows the link in the email; ends on the page that confirms it. */
export async function verifyEmail(page: Page, language: Language, { email }: NewPerson): Promise<void> {
  const t = words(language);
  await page.goto(at(language, `/verify-email?token=${await verificationToken(page, email)}`));
  await page.getByRole('button', { name: t('auth:verify.confirm') }).click();
  await expect(page.getByRole('heading', { name: t('auth:verify.done') })).toBeVisible();
}

/** An address in a private network. The journeys' server trusts it like a proxy's. */
const randomAddress = () => `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 250) + 1).join('.')}`;

/** Fills in the payment provider's page. */
export async function payByCard(page: Page, number = '4242 4242 4242 4242'): Promise<void> {
  await expect(page).toHaveURL(/\/_sandbox\/stripe\/pay\//);
  const card = { number, month: '12', year: '2040', cvc: '123', name: 'Inés' };
  for (const [name, value] of Object.entries(card)) await page.locator(`[name=${name}]`).fill(value);
  await page.locator('button[name=step][value=pay], button[type=submit]').last().click();
}

/** Fills in the fields that every form before a payment asks of visitors. @returns their email address */
export async function fillInPayer(page: Page): Promise<string> {
  const email = `oyente${Math.random().toString().slice(2)}@mail.example`;
  await page.locator('#content [name=email]').fill(email);
  for (const name of ['adult', 'terms']) {
    const box = page.locator(`#content [name=${name}]`);
    if ((await box.count()) > 0) await box.check();
  }
  return email;
}

/** Calls a procedure from the page, so that the browser keeps the session's cookie. */
async function callProcedure(page: Page, procedure: string, input: unknown): Promise<void> {
  const { status, text } = await page.evaluate(
    async ([path, body, address]) => {
      const answer = await fetch(`/trpc/${path}`, {
        method: 'POST',
        // one address may sign up 20 accounts an hour, and there are more journeys
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body,
      });
      return { status: answer.status, text: await answer.text() };
    },
    [procedure, JSON.stringify({ json: input }), randomAddress()] as const,
  );
  expect(status, text).toBe(200);
}

/** Signs up and claims a creator page without the forms, for journeys about other features. */
export async function newCreator(page: Page): Promise<NewPerson & { domain: string }> {
  const person = { name: 'Inés Prueba', email: `${nameFor('ines')}@mail.example`, password: 'correct horse battery' };
  const domain = nameFor('ines-');
  await page.goto('/login');
  await callProcedure(page, 'accounts.signUp', { ...person, country: 'ES', terms: true });
  await callProcedure(page, 'creators.claim', {
    name: person.name,
    domain,
    timeZone: 'Europe/Madrid',
    birthDate: '1990-05-01',
  });
  await callProcedure(page, 'accounts.verifyEmail', { token: await verificationToken(page, person.email) });
  return { ...person, domain };
}

/** Claims a creator page. @returns its domain */
export async function claim(page: Page, language: Language): Promise<string> {
  const t = words(language);
  const domain = nameFor('ines-');
  await page.goto(at(language, '/creator-page'));
  await page.getByLabel(t('studio:creator.name')).fill('Inés Prueba');
  await page.getByLabel(t('studio:creator.domain')).fill(domain);
  await page.getByLabel(t('studio:creator.birthDate')).fill('1990-05-01');
  await expect(page.getByText(new RegExp(`· ${t('studio:address.free')}$`))).toBeVisible();
  await page.getByRole('button', { name: t('studio:creator.claim') }).click();
  await expect(page.getByText(t('studio:done.page_claimed')).first()).toBeVisible();
  return domain;
}

/** Creates a product with a cover cropped in the browser; ends on its page. With `price`, an audio series sold once. */
export async function createProduct(page: Page, language: Language, name: string, price?: string): Promise<void> {
  const t = words(language);
  await page.goto(at(language, '/products/create'));
  if (price) await page.getByRole('radio', { name: t('product:kind.audioSeries') }).check();
  await page.getByLabel(t('product:form.name'), { exact: true }).fill(name);
  await page.getByLabel(t('product:form.description')).fill('Un minuto de mar, cada semana.');
  await page.getByLabel(t('product:form.category')).selectOption('100');
  await page.getByLabel(t('product:form.language')).selectOption('es');
  const create = { width: 2100, height: 1400, channels: 3 as const, background: '#274F94' };
  const buffer = await sharp({ create }).jpeg().toBuffer();
  await page.locator('input[type=file]').first().setInputFiles({ name: 'cover.jpg', mimeType: 'image/jpeg', buffer });
  await page.getByRole('button', { name: t('studio:crop.use') }).click();
  await expect(page.getByText(t('studio:picture.ready'))).toBeVisible();
  if (price) {
    await page.getByRole('radio', { name: t('product:price.paid') }).check();
    await page.getByRole('textbox', { name: t('product:price.amount.purchase'), exact: true }).fill(price);
  }
  await page.getByRole('button', { name: t('product:form.create'), exact: true }).click();
  await expect(page.getByRole('heading', { name: t('episode:create.title') })).toBeVisible();
  await page.getByRole('link', { name, exact: true }).first().click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
}

/** Uploads an episode from the product's page and publishes it; ends on the episode's page when it is published. */
export async function publishEpisode(page: Page, language: Language, name: string, seconds: number): Promise<void> {
  const t = words(language);
  await page
    .getByRole('link', { name: t('product:show.newEpisode') })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: t('episode:create.title') })).toBeVisible();
  const file = { name: 'mar.mp3', mimeType: 'audio/mpeg', buffer: mp3(seconds) };
  await page.locator('input[type=file][accept*="mp"]').first().setInputFiles(file);
  const named = page.getByLabel(t('episode:form.name'), { exact: true });
  // the file's name may arrive between the two steps of `fill`, which is faster than any user
  await expect(async () => {
    await named.fill(name);
    await expect(named).toHaveValue(name, { timeout: 500 });
  }).toPass();
  await page.locator('[contenteditable=true], textarea[name=description]').first().fill('De qué va este episodio.');
  await page.getByRole('button', { name: t('episode:send.publish'), exact: true }).click();
  const published = page.getByText(t('episode:status.published'), { exact: true }).first();
  const share = page.getByRole('heading', { name: t('distribution:published.shareOn') });
  await expect(published.or(share).first()).toBeVisible({ timeout: 20_000 });
  // the first episode of a show opens the page about that, once
  if (await share.isVisible()) {
    await page.getByRole('link', { name: t('distribution:published.continue') }).click();
    await page.getByRole('link', { name, exact: true }).first().click();
    await expect(published).toBeVisible();
  }
}
