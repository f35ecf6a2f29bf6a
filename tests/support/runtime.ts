import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, inject } from 'vitest';
import { testDatabase } from './db';
import { openTestRuntime } from './open-test-runtime';

export { BASE_TIME } from './open-test-runtime';

type Origin = { template: string; files: string | null };

/** A runtime on a copy of a template database and its files. Without a template, it has no people and no shows. */
export async function testRuntime(
  settings: Record<string, string> = {},
  { template, files }: Origin = { template: inject('template'), files: null },
) {
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-test-'));
  const [{ url }] = await Promise.all([testDatabase(template), files && fs.cp(files, dataDir, { recursive: true })]);
  const { close, ...opened } = await openTestRuntime(url, dataDir, settings);
  afterAll(async () => {
    await close();
    await fs.rm(dataDir, { recursive: true, force: true });
  });
  return opened;
}
