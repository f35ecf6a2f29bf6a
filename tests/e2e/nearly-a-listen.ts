import { readFile } from 'node:fs/promises';
import type { Frame, Page } from '@playwright/test';
import { createVault } from '../../server/auth/vault';
import { issueTicket } from '../../server/domain/listening/tickets';

/**
 * Makes a paused player a few seconds short of a listen. The counter keeps the seconds heard and the ticket of the play
 * call in the tab's session, and reads them when playback resumes. The server accepts a ticket only after a minute.
 */
export async function nearlyAListen(page: Page | Frame): Promise<void> {
  const { id, session } = await page.evaluate(() => ({
    id: Number(sessionStorage.getItem('started')),
    session: sessionStorage.getItem('listenSession') ?? '',
  }));
  const ticket = issueTicket(
    { vault: await vaultOfServer(), now: () => new Date(Date.now() - 120_000) },
    { id, session },
  );
  await page.evaluate((value) => {
    sessionStorage.setItem('lastListenTime', '57');
    sessionStorage.setItem('listenTicket', value);
  }, ticket);
}

/** Signs with the secret of the journeys' server (playwright.config.ts). */
async function vaultOfServer() {
  return createVault(await readFile('.data/journeys/secret', 'utf8'));
}
