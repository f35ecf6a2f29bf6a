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

/** Eight first starts take half a minute alone, and many times as long beside other tests. */
const PATIENCE = 600_000;

/** Milliseconds from the signal until the pages are there: meanwhile the rest closes. */
const LATE_MS = [5, 10, 15, 20, 25];
const BROKEN = 'routes.broken = null;';
const stoppedMidway = (ms: number) =>
  `process.kill(process.pid, 'SIGTERM'); await new Promise((resolve) => setTimeout(resolve, ${ms}));`;

/** Starts with an additional line in the build of the pages, which loads just before the caches open. */
async function startWith(line: string, dataDir: string) {
  const file = path.join(path.dirname(main), 'pages.js');
  const pages = readFileSync(file, 'utf8');
  writeFileSync(file, pages + line);
  const start = await startFirst(main, dataDir);
  const code = await start.end();
  writeFileSync(file, pages);
  // the output names the cause if the start should have ended well
  return [code, await programsIn(dataDir), ...(code === 0 || line === BROKEN ? [] : [start.started.output])];
}

test.runIf(process.platform === 'linux')(
  'nothing outlives a first start that is stopped or fails, whatever it creates or opens; pages are served before the demo exists',
  { timeout: PATIENCE },
  async () => {
    const dataDir = await freshDataDir();
    const first = await startFirst(main, dataDir);
    await first.until(() => isCreatingCluster(dataDir));
    const codes = [await first.stop('SIGTERM')];
    const afterFirst = await programsIn(dataDir);
    const stopped = [];
    for (const ms of LATE_MS) stopped.push(await startWith(stoppedMidway(ms), dataDir));
    const failed = await startWith(BROKEN, dataDir);

    const last = await startFirst(main, dataDir);
    await last.until(() => last.started.output.includes('creating the demo'));
    const page = await fetch(last.url);
    const text = await page.text();
    codes.push(await last.stop('SIGHUP'));

    expect([...codes, afterFirst, await programsIn(dataDir)]).toEqual([0, 0, [], []]);
    expect({ stopped, failed }).toEqual({ stopped: LATE_MS.map(() => [0, []]), failed: [1, []] });
    expect([text, page.headers.get('cache-control')]).toEqual(['Its demo is being prepared', 'no-store']);
    expect(last.started.output).not.toContain('Demo logins');
  },
);

test('in production, each line of the output is JSON, the last one of a start too', { timeout: PATIENCE }, async () => {
  const production = { APP_ENV: 'production', APP_URL: 'https://altavoz.example', ALLOW_DEV_FALLBACKS: '1' };
  const { started, until, stop } = await startFirst(main, await freshDataDir(), production);

  await until(() => started.output.includes('web ready'));
  await stop('SIGTERM');

  const lines = started.output.trimEnd().split('\n').map(parseLine);
  expect(lines.filter((line) => typeof line === 'string')).toEqual([]);
  expect(lines).toContainEqual(expect.objectContaining({ msg: 'web ready', url: 'https://altavoz.example/' }));
});

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

test('a start reads no code that never runs: texts of zod in other languages, and a second HTTP client of Remix', () => {
  const folder = path.dirname(main);
  const maps = readdirSync(folder).filter((name) => name.endsWith('.js.map'));
  const bundled = maps.flatMap((name): string[] => JSON.parse(readFileSync(path.join(folder, name), 'utf8')).sources);

  const languages = bundled.filter((file) => /\/zod\/v4\/locales\/\w\w\.js$/.test(file));
  expect(languages.map((file) => path.basename(file))).toEqual(['en.js']);
  expect(bundled.filter((file) => file.includes('@remix-run/node/node_modules/undici'))).toEqual([]);
  expect(bundled.some((file) => file.includes('@remix-run/node/'))).toBe(true);
});
