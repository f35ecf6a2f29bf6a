import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bundledServer } from '../support/bundled-server';
import { freshDataDir, programsIn, startFirst } from '../support/first-start';

const { main, remove } = await bundledServer();
afterAll(remove);

const filesIn = (folder: string) => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
const isCreatingCluster = (dataDir: string) =>
  filesIn(path.join(dataDir, 'postgres')).some((name) => name.startsWith('data.'));

/** The pages are there only after the rest has begun to close. */
const STOPPED_MIDWAY = `process.kill(process.pid, 'SIGTERM'); await new Promise((resolve) => setTimeout(resolve, 500));`;

/** Starts with a line more in the build of the pages, which loads just before the caches open. */
async function startWith(line: string, dataDir: string) {
  const file = path.join(path.dirname(main), 'pages.js');
  const pages = readFileSync(file, 'utf8');
  writeFileSync(file, pages + line);
  const start = await startFirst(main, dataDir);
  const code = await start.end();
  writeFileSync(file, pages);
  return [code, await programsIn(dataDir)];
}

test.runIf(process.platform === 'linux')(
  'nothing outlives a first start that is stopped or fails, whatever it creates or opens; pages are served before the demo exists',
  { timeout: 120_000 },
  async () => {
    const dataDir = await freshDataDir();
    const first = await startFirst(main, dataDir);
    await first.until(() => isCreatingCluster(dataDir));
    const codes = [await first.stop('SIGTERM')];
    const afterFirst = await programsIn(dataDir);
    const stopped = await startWith(STOPPED_MIDWAY, dataDir);
    const failed = await startWith('routes.broken = null;', dataDir);

    const last = await startFirst(main, dataDir);
    await last.until(() => last.started.output.includes('creating the demo'));
    const page = await fetch(last.url);
    const text = await page.text();
    codes.push(await last.stop('SIGHUP'));

    expect([...codes, afterFirst, await programsIn(dataDir)]).toEqual([0, 0, [], []]);
    expect({ stopped, failed }).toEqual({ stopped: [0, []], failed: [1, []] });
    expect([text, page.headers.get('cache-control')]).toEqual(['Its demo is being prepared', 'no-store']);
    expect(last.started.output).not.toContain('Demo logins');
  },
);
