import { readdirSync } from 'node:fs';
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

test.runIf(process.platform === 'linux')(
  'nothing outlives a first start that is stopped, whether it creates the cluster or the demo',
  { timeout: 120_000 },
  async () => {
    const dataDir = await freshDataDir();
    const first = await startFirst(main, dataDir);
    await first.until(() => isCreatingCluster(dataDir));
    const codes = [await first.stop('SIGTERM')];
    const afterFirst = await programsIn(dataDir);

    const second = await startFirst(main, dataDir);
    await second.until(() => second.started.output.includes('creating the demo'));
    codes.push(await second.stop('SIGHUP'));

    expect([...codes, afterFirst, await programsIn(dataDir)]).toEqual([0, 0, [], []]);
    expect(second.started.output).not.toContain('Demo logins');
  },
);
