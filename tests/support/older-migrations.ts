import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

const MIGRATIONS = 'db/migrations';

/** The migrations up to a number, as in an older version. */
export function folderUntil(last: number): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'migrations-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const journal = JSON.parse(fs.readFileSync(`${MIGRATIONS}/meta/_journal.json`, 'utf8'));
  const entries = journal.entries.filter(({ idx }: { idx: number }) => idx <= last);
  fs.mkdirSync(`${folder}/meta`);
  fs.writeFileSync(`${folder}/meta/_journal.json`, JSON.stringify({ ...journal, entries }));
  for (const { tag } of entries) fs.copyFileSync(`${MIGRATIONS}/${tag}.sql`, `${folder}/${tag}.sql`);
  return folder;
}
