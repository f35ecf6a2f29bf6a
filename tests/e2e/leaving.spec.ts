import { expect, test } from '@playwright/test';
import { at, byAddress, hydrated, register, words } from './journey';

const t = words('es');

test('a user asks a question, deletes the account, and keeps it with the link from the email', async ({ page }) => {
  const { email, password } = await register(page, 'es');
  await page.goto(at('es', '/contact'));
  await hydrated(page);
  await expect(page.getByLabel(t('contact:email'))).toHaveValue(email);
  await page.getByLabel(t('contact:subject')).fill('Una pregunta');
  await page.getByRole('button', { name: t('contact:submit') }).click();
  await expect(page.getByLabel(t('contact:text'))).toBeFocused();
  await page.getByLabel(t('contact:text')).fill('¿Cómo elimino mi cuenta?');
  await page.getByRole('button', { name: t('contact:submit') }).click();
  await expect(page.getByRole('heading', { name: t('contact:sent') })).toBeVisible();

  await page.goto(at('es', '/profile/data'));
  await page.getByLabel(t('account:password.current')).fill(password);
  await page.getByRole('button', { name: t('account:deletion.submit') }).click();
  const keep = page.getByRole('button', { name: t('account:deletion.keep') });
  await expect(keep).toBeVisible();

  const inbox = `${byAddress(page.url())}/_dev/inbox.json?to=${email}`;
  const links = async () => {
    const { messages } = (await (await page.request.get(inbox)).json()) as { messages: { text: string }[] };
    return messages.flatMap(({ text }) => /\/es\/undo-deletion\?token=\S+/.exec(text) ?? []);
  };
  await expect.poll(links).toHaveLength(1);
  await page.goto((await links())[0]!);
  await page.getByRole('button', { name: t('auth:undo.confirm') }).click();
  await expect(page.getByRole('heading', { name: t('auth:undo.done') })).toBeVisible();
  await page.goto(at('es', '/profile/data'));
  await expect(page.getByRole('button', { name: t('account:deletion.submit') })).toBeVisible();
  await expect(keep).toBeHidden();
});
