import { expect, test } from '@playwright/test';
import { frames, mp3 } from '../support/mp3';
import { at, chooseCountry, createProduct, nameFor, newCreator, words } from './journey';

test('a failed sign-up shows an error next to each field, keeps the input, and focuses the first error', async ({
  page,
}) => {
  const t = words('es');
  await page.goto(at('es', '/register'));
  await page.getByLabel(t('auth:field.name'), { exact: true }).fill('Inés');
  await page.getByLabel(t('auth:field.email')).fill('ines+alias@mail.example');
  await page.getByLabel(t('auth:field.password'), { exact: true }).fill('corta');
  await page.locator('form.form').evaluate((form: HTMLFormElement) => {
    form.noValidate = true;
  });
  await page.getByRole('button', { name: t('auth:register.submit') }).click();

  await expect(page.getByText(t('errors:account.email_local_part'))).toBeVisible();
  await expect(page.getByText(t('errors:account.password_short'))).toBeVisible();
  await expect(page.getByText(t('errors:account.terms_required'))).toBeVisible();
  await expect(page.getByLabel(t('auth:field.name'), { exact: true })).toHaveValue('Inés');
  await expect(page.getByLabel(t('auth:field.email'))).toBeFocused();
});

test('a failed sign-up without JavaScript shows the errors and keeps the input', { tag: '@deep' }, async ({
  browser,
  baseURL,
}) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  const t = words('en');
  await page.goto(`${baseURL}/register`);
  await page.getByLabel(t('auth:field.name'), { exact: true }).fill('Ines');
  await page.getByLabel(t('auth:field.email')).fill('ines_b@mail.example');
  await page.getByLabel(t('auth:field.password'), { exact: true }).fill('long enough');
  await chooseCountry(page, 'en');
  await page.getByLabel(t('auth:terms.terms')).check();
  await page.getByRole('button', { name: t('auth:register.submit') }).click();

  await expect(page.getByText(t('errors:account.email_local_part'))).toBeVisible();
  await expect(page.getByLabel(t('auth:field.email'))).toHaveValue('ines_b@mail.example');
});

test('a session that expires during a form loses no input', async ({ page, context }) => {
  const t = words('en');
  const person = await newCreator(page);
  await page.goto('/products/create');
  await page.getByLabel(t('product:form.name'), { exact: true }).fill('Kept through the login');
  await page.getByLabel(t('product:form.description')).fill('Every word of this.');
  await page.getByLabel(t('product:form.category')).selectOption('100');
  await page.getByLabel(t('product:form.language')).selectOption('en');

  await context.clearCookies();
  await page.reload();
  await page.getByLabel(t('auth:field.email')).fill(person.email);
  await page.getByLabel(t('auth:field.password'), { exact: true }).fill(person.password);
  await page.getByRole('button', { name: t('auth:login.submit'), exact: true }).click();

  await expect(page.getByLabel(t('product:form.name'), { exact: true })).toHaveValue('Kept through the login');
  await expect(page.getByLabel(t('product:form.description'))).toHaveValue('Every word of this.');
});

test('files without sound are refused with their reason, before or after their upload, and another file fixes it', {
  tag: '@deep',
}, async ({ page }) => {
  const t = words('en');
  await newCreator(page);
  await createProduct(page, 'en', nameFor('Waves '));
  await page
    .getByRole('link', { name: t('product:show.newEpisode') })
    .first()
    .click();
  // the list also has a file field
  await expect(page.getByRole('heading', { name: t('episode:create.title') })).toBeVisible();
  const input = page.locator('input[type=file][accept*="mp"]').first();

  await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
  await expect(page.getByText(t('errors:upload.not_mp3')).first()).toBeVisible();

  const wav = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), Buffer.alloc(50_000, 7)]);
  await input.setInputFiles({ name: 'sound.mp3', mimeType: 'audio/mpeg', buffer: wav });
  await expect(page.getByText(t('errors:upload.renamed', { format: 'WAV' })).first()).toBeVisible();

  const noise = Buffer.alloc(50_000, 7);
  await input.setInputFiles({ name: 'sound.mp3', mimeType: 'audio/mpeg', buffer: noise });
  await expect(page.getByText(t('errors:audio.not_mp3')).first()).toBeVisible();

  // only the check of the whole file reveals how short it is
  await input.setInputFiles({ name: 'sound.mp3', mimeType: 'audio/mpeg', buffer: frames(20) });
  await page.getByLabel(t('episode:form.name'), { exact: true }).fill('Not really');
  await page.locator('[contenteditable=true], textarea[name=description]').first().fill('Half a second of silence.');
  await page.getByRole('button', { name: t('episode:send.publish'), exact: true }).click();
  await expect(page.getByText(t('errors:audio.too_short')).first()).toBeVisible({ timeout: 20_000 });

  await page
    .getByRole('link', { name: t('episode:action.otherFile') })
    .first()
    .click();
  const real = { name: 'real.mp3', mimeType: 'audio/mpeg', buffer: mp3(20) };
  await page.locator('input[type=file][accept*="mp"]').first().setInputFiles(real);
  await expect(page.getByText(/Uploaded \(/)).toBeVisible();
  await page.getByRole('button', { name: t('episode:send.save'), exact: true }).click();
  // the first episode of its show
  await expect(page.getByRole('heading', { name: t('distribution:published.shareOn') })).toBeVisible({
    timeout: 20_000,
  });
});
