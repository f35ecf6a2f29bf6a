import type { Page } from '@playwright/test';

/** What the browser reports when the page that the server rendered differs from the page that it renders itself. */
export function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    // the status of a page that does not exist is not an error of the page
    const isStatus = /the server responded with a status of 404/.test(message.text()) && /nowhere/.test(page.url());
    if (message.type() === 'error' && !isStatus) errors.push(`${page.url()}: ${message.text()}`);
  });
  return errors;
}
