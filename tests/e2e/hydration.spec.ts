import { expect, type Page, test } from '@playwright/test';
import { logIn } from './journey';
import { PUBLIC, STUDIO } from './pages';

/** What the browser reports when the page that the server rendered differs from the page that it renders itself. */
function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    // the status of a page that does not exist is not an error of the page
    const isStatus = /the server responded with a status of 404/.test(message.text()) && /nowhere/.test(page.url());
    if (message.type() === 'error' && !isStatus) errors.push(`${page.url()}: ${message.text()}`);
  });
  return errors;
}

for (const timezoneId of ['America/Los_Angeles', 'Asia/Kolkata']) {
  test(`no page reports an error in a browser in ${timezoneId}`, async ({ browser, baseURL }) => {
    test.setTimeout(120_000);
    const context = await browser.newContext({ timezoneId, locale: 'es-MX', baseURL });
    const page = await context.newPage();
    const errors = collectErrors(page);

    for (const path of PUBLIC) await page.goto(path, { waitUntil: 'networkidle' });
    await logIn(page, 'lucia@altavoz.example');
    for (const path of STUDIO) await page.goto(path, { waitUntil: 'networkidle' });

    expect(errors).toEqual([]);
  });
}
