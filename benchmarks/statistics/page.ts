import { createDb } from '~/db/client';
import { createSessions } from '~/server/auth/sessions';
import { openBrowser, visitByPhone } from '../phone';
import { pageRows } from '../phone-rows';
import { startApp } from '../servers';
import type { BenchmarkRow } from '../table';
import { type History, SHOWS } from './history';

/** The statistics of the largest show on a phone: a first visit, its bytes, and how long scripts block it. */
export async function statisticsPageRows(history: History): Promise<BenchmarkRow[]> {
  const { db, close } = createDb(history.databaseUrl, { max: 1 });
  const { token } = await createSessions(db).start(1, { channel: 'web', userAgent: '', country: null });
  const app = await startApp(history);
  const browser = await openBrowser();
  const url = `http://${app.host}/podcasts/${SHOWS.largest}/metric`;
  const rows = pageRows('statistics of the largest show', await visitByPhone(browser, url, token));
  await browser.close();
  await app.stop();
  await close();
  return rows;
}
