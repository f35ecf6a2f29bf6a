import fs from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { AXE, findings } from './axe';
import { collectErrors } from './browser-errors';
import { logIn, words } from './journey';
import { idOf } from './pages';

const t = words('es');
const show = `/podcasts/${idOf('postales-sonoras')}`;

test('a creator reads a show’s plays by pointer and keyboard, as a table, as a file and as a picture', async ({
  page,
}) => {
  const errors = collectErrors(page);
  const drawn = await collectDrawings(page);
  await logIn(page, 'lucia@altavoz.example');
  await page.goto(show);
  await page
    .getByRole('navigation', { name: t('product:tabs.label') })
    .getByRole('link', { name: t('product:tabs.statistics') })
    .click();
  const quarter = page.getByRole('link', { name: t('statistics:period.quarter') });
  await quarter.click();
  await expect(page).toHaveURL(/\/metric\?from=\d{4}-\d\d-\d\d$/);
  // the address changes a moment before the links do
  await expect(quarter).toHaveAttribute('aria-current', 'true');
  await page.getByRole('link', { name: t('statistics:granularity.week'), exact: true }).click();
  await expect(page).toHaveURL(/from=.*granularity=week/);
  const chart = page.getByRole('figure', { name: t('statistics:evolution.title') });
  const columns = chart.locator('g[tabindex]');
  await expect(columns.last()).toHaveAttribute('tabindex', '0');

  await columns.last().focus();
  await page.keyboard.press('ArrowLeft');
  await expect(columns.nth(-2)).toBeFocused();
  await expect(columns.nth(-2).locator('text').first()).toHaveCSS('opacity', '1');

  await chart.getByText(t('statistics:chart.table')).click();
  await expect(chart.getByRole('row')).toHaveCount((await columns.count()) + 1);
  const csv = page.waitForEvent('download');
  await chart.getByRole('link', { name: /CSV/ }).click();
  const rows = fs
    .readFileSync(await (await csv).path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(rows[0]).toContain('from,plays,listens,downloads');
  expect(rows).toHaveLength((await columns.count()) + 1);
  const png = page.waitForEvent('download');
  await chart.getByRole('button', { name: /PNG/ }).click();
  const picture = await png;
  expect(picture.suggestedFilename()).toBe('evolution.png');
  expect(
    fs
      .readFileSync(await picture.path())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  const [sheet] = await drawn();
  for (const text of ['Postales sonoras · ', t('statistics:evolution.title'), t('statistics:evolution.now')])
    expect(sheet).toContain(text);
  expect(sheet).toMatch(/\(Europe\/Madrid\)<\/text>/);

  await page.evaluate(AXE);
  expect(await findings(page)).toEqual([]);
  expect(errors).toEqual([]);
});

/** The drawings from which pictures are made. */
async function collectDrawings(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const drawings: string[] = [];
    const source = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, 'src')!;
    Object.defineProperty(HTMLImageElement.prototype, 'src', {
      ...source,
      set(address: string) {
        if (address.startsWith('data:image/svg')) drawings.push(decodeURIComponent(address));
        source.set!.call(this, address);
      },
    });
    Object.assign(window, { drawings });
  });
  return () => page.evaluate(() => (window as unknown as { drawings: string[] }).drawings);
}

test('filters combine, stay in the address, and are removed one by one', async ({ page }) => {
  await logIn(page, 'lucia@altavoz.example');
  await page.goto(`${show}/metric`);
  const links = (dimension: string) =>
    page.getByRole('figure', { name: t(`statistics:dimension.${dimension}`) }).getByRole('link', { name: /^Solo / });
  await links('country').first().click();
  await expect(page).toHaveURL(/\?country=[A-Z]{2}$/);
  const filters = page.getByRole('list', { name: t('statistics:filter.label') });
  await expect(filters.getByRole('listitem')).toHaveCount(1);
  await links('app').first().click();
  await expect(page).toHaveURL(/\?country=[A-Z]{2}&app=[\w.-]+$/);
  await expect(filters.getByRole('listitem')).toHaveCount(2);

  await filters.getByRole('link').first().click();

  await expect(page).toHaveURL(/\?app=[\w.-]+$/);
  await expect(filters.getByRole('listitem')).toHaveCount(1);
});

test('without JavaScript, the form shows other dates in another time zone', async ({ page, browser }) => {
  await logIn(page, 'lucia@altavoz.example');
  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const reader = await plain.newPage();
  await reader.goto(new URL(`${show}/metric`, page.url()).href);
  await reader.getByText(t('statistics:form.open')).click();
  await reader.getByLabel(t('statistics:form.from')).fill('2026-01-01');
  await reader.getByLabel(t('statistics:form.zone')).selectOption('UTC');
  await reader.getByRole('button', { name: t('statistics:form.apply') }).click();

  await expect(reader).toHaveURL(/from=2026-01-01&to=[\d-]+&.*zone=UTC/);
  await expect(reader.getByText(/1 de enero de 2026 – .*\(UTC\)/)).toBeVisible();
  await expect(reader.getByRole('button', { name: /PNG/ }).first()).toBeHidden();
  await plain.close();
});
