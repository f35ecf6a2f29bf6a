import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startEmbedded } from '~/db/embedded';
import { bundledServer } from '../support/bundled-server';
import { freshDataDir, programsIn, startFirst } from '../support/first-start';

/** Moments from before the process listens for signals until the middle of the demo. */
const MOMENTS_MS = [100, 300, 600, 900, 1300, 1800, 2500, 4000, 6000, 9000, 14_000];
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

const { main, remove } = await bundledServer();
afterAll(remove);

async function readDemo(dataDir: string) {
  const server = await startEmbedded({ dir: path.join(dataDir, 'postgres') });
  onTestFinished(async () => void (await server.stop({ force: true })));
  const sql = postgres(server.url, { max: 1 });
  const twice =
    await sql`select product_id, name from episodes group by product_id, name having count(*) > 1 order by 1, 2`;
  const reached = await sql`select name from milestones where name not like 'payments.caught_up/%' order by name`;
  const [sold] = await sql`select count(*)::int as twice from (
    select from checkouts where status = 'settled' group by user_id, email, product_id, purpose, terms having count(*) > 1) c`;
  await sql.end();
  return { twice: [...twice], reached: reached.map(({ name }) => name), soldTwice: sold?.twice };
}

test('stopped at many moments, a first start leaves nothing running, and the last start completes it once', {
  timeout: 1_200_000,
}, async () => {
  const dataDir = await freshDataDir();
  for (const [i, ms] of MOMENTS_MS.entries()) {
    const start = await startFirst(main, dataDir);
    await sleep(ms);
    const code = await start.stop(SIGNALS[i % SIGNALS.length]!);
    const left = await programsIn(dataDir);
    expect({ ms, left, ...(left.length > 0 && { code, output: start.started.output }) }).toEqual({ ms, left: [] });
  }

  const last = await startFirst(main, dataDir);
  await last.until(() => last.started.output.includes('olga@altavoz.example / '));
  const code = await last.stop('SIGTERM');

  const { output } = last.started;
  expect([code, await programsIn(dataDir)]).toEqual([0, []]);
  expect(output).not.toMatch(/job done|webhooks/);
  expect(output.indexOf('Altavoz is ready at')).toBeGreaterThan(output.lastIndexOf('creating the demo'));
  expect(await readDemo(dataDir)).toEqual({ twice: [], reached: ['demo'], soldTwice: 0 });
});
