import { expect, type Page, test } from '@playwright/test';
import { AXE, findings } from './axe';
import { byAddress, hold, hydrated, logIn, nameFor, newCreator, words } from './journey';

const t = words('en');

/** The path of the link in the last invitation to an address. */
async function invitationFor(page: Page, email: string): Promise<string> {
  const read = async () => {
    const inbox = await page.request.get(`${byAddress(page.url())}/_dev/inbox.json?to=${email}`);
    const { messages } = (await inbox.json()) as { messages: { text: string }[] };
    return messages.map(({ text }) => /\/invitation\?token=[\w-]+/.exec(text)?.[0]).find(Boolean);
  };
  await expect.poll(read).toBeTruthy();
  return (await read())!;
}

test('an invited editor works on the page until the owner removes them', async ({ page, browser }) => {
  const elsewhere = await browser.newContext();
  const theirs = await elsewhere.newPage();
  const editor = await newCreator(theirs);
  await newCreator(page);
  const name = nameFor('Olas');

  await page.goto('/account/team');
  await page.getByLabel(t('team:invite.email')).fill(editor.email);
  await page.getByRole('button', { name: t('team:invite.submit') }).click();
  await expect(page.getByText(t('studio:done.invitation_sent')).first()).toBeVisible();
  await theirs.goto(await invitationFor(page, editor.email));
  await theirs.getByRole('button', { name: t('team:accept.submit') }).click();
  await expect(theirs.getByText(t('studio:done.team_joined')).first()).toBeVisible();

  await theirs.goto('/creator-page');
  await theirs.getByLabel(t('studio:creator.name')).fill(name);
  await theirs.getByRole('button', { name: t('studio:save'), exact: true }).click();
  await expect(theirs.getByText(t('studio:done.page_saved')).first()).toBeVisible();

  await page.goto('/dashboard');
  await hydrated(page);
  await page
    .getByRole('link', { name: t('studio:nav.team'), exact: true })
    .first()
    .click();
  await expect(page.getByText(t('team:activity.page.updated')).first()).toBeVisible();
  await page.getByRole('button', { name: /^Remove .* from the team\?$/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('team:people.remove'), exact: true })
    .click();
  await expect(page.getByText(t('studio:done.member_removed')).first()).toBeVisible();

  // the removed member's next click shows their own page, not the team's
  await theirs
    .getByRole('link', { name: t('studio:nav.team'), exact: true })
    .first()
    .click();
  await expect(theirs.getByRole('heading', { name: t('team:invite.first') })).toBeVisible();
  await expect(theirs.getByText(name)).toHaveCount(0);
  await elsewhere.close();
});

async function openPalette(page: Page) {
  const field = page.getByRole('combobox');
  // the page handles keys a moment later than links
  await expect(async () => {
    await page.keyboard.press('Control+k');
    await expect(field).toBeVisible({ timeout: 2000 });
  }).toPass();
  return field;
}

test('a search that is typed again before its first answer gets that answer', { tag: '@deep' }, async ({ page }) => {
  await logIn(page, 'ada@altavoz.example');
  await page.goto('/dashboard');
  await hydrated(page);
  const field = await openPalette(page);
  const asked: string[] = [];
  const release = await hold(page, /\/trpc\/episodes\.search/, (url) => asked.push(url));
  await page.clock.install();

  await field.fill('a');
  await expect.poll(() => asked).toHaveLength(1);
  await field.fill('ab');
  await expect.poll(() => asked).toHaveLength(2);
  await field.fill('a');
  // it is asked again after a pause in typing
  await page.clock.runFor(1000);
  release();

  await expect(page.getByRole('group', { name: t('palette:group.episodes') })).toBeVisible();
});

test('Ctrl+K finds an episode, and single keys work until they are turned off', { tag: '@deep' }, async ({ page }) => {
  await logIn(page, 'ada@altavoz.example');
  await page.goto('/dashboard');
  await hydrated(page);
  const field = await openPalette(page);
  await field.fill('a');
  const found = page
    .getByRole('group', { name: t('palette:group.episodes') })
    .getByRole('option')
    .first();
  await expect(found).toBeVisible();
  await page.evaluate(AXE);
  expect(await findings(page)).toEqual([]);
  const episode = (await found.locator('span').first().textContent())!;
  await field.fill(episode);
  await expect(page.getByRole('option')).toHaveCount(1);
  await field.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: episode })).toBeVisible();

  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await expect(page.getByRole('heading', { level: 1, name: t('product:list.title') })).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('?gh');
  await expect(page.getByRole('searchbox')).toHaveValue('?gh');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('checkbox', { name: t('palette:shortcuts.on') }).uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(/\/products/);
});
