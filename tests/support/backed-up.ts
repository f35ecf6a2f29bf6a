import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { diskStore } from '~/server/adapters/storage/disk';
import { runBackup } from '~/server/backup/run-backup';
import { runRestore } from '~/server/backup/run-restore';
import { parseEnv } from '~/server/env/read';
import { cast } from './cast';
import { emptyDatabase } from './db';
import { fillCreator } from './filled-creator';

type Settings = Record<string, string>;

export const settingsOf = (url: string, dataDir: string, more: Settings = {}): Settings => ({
  DATABASE_URL: url,
  DATA_DIR: dataDir,
  APP_SECRET: 'a secret for tests, of enough length',
  ...more,
});

/** An installation with rows in every table of a creator, and its command line. */
export async function filledInstallation() {
  const here = await cast();
  const { runtime, lucia, tom, ada, podcast, series, dataDir, url } = here;
  await fillCreator({ runtime, owner: lucia, tom, ada, podcast, series, episode: here.episodes.podcast.public });
  const env = parseEnv(settingsOf(url, dataDir));
  return {
    ...here,
    storage: runtime.ports.storage,
    backUp: (to: string, ...more: string[]) => printed(() => runBackup(env, ['--backup', '--to', to, ...more])),
  };
}

/** An installation without any data. */
export async function emptyInstallation(settings: Settings = {}) {
  const { url } = await emptyDatabase();
  const dataDir = await folder();
  const env = parseEnv(settingsOf(url, dataDir, settings));
  return {
    url,
    dataDir,
    storage: await diskStore({ root: path.join(dataDir, 'media'), formUrl: (key) => key }),
    restore: (from: string, ...more: string[]) =>
      printed(() => runRestore(env, ['--restore', '--from', from, ...more])),
  };
}

export async function folder(): Promise<string> {
  const created = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-backup-'));
  onTestFinished(() => fs.rm(created, { recursive: true, force: true }));
  return created;
}

/** Runs a command. @returns its exit code and output */
export async function printed(command: () => Promise<number>): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const write = (text: string | Uint8Array) => {
    lines.push(String(text));
    return true;
  };
  const spies = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockImplementation(write));
  const code = await command().finally(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return { code, text: lines.join('') };
}
