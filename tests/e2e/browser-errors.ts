import type { Page } from '@playwright/test';

/** The browser's message when the server's page differs from the one that the browser renders. */
export function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    // the status of a missing page is not an error of the page
    const isStatus = /the server responded with a status of 404/.test(message.text()) && /nowhere/.test(page.url());
    if (message.type() === 'error' && !isStatus) errors.push(`${page.url()}: ${message.text()}`);
  });
  return errors;
}
