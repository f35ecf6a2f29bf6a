import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { MEMORY, SCRATCH } from './scratch';

/** The file that names the checkout of a folder in memory. */
const OWNER = 'checkout';

/**
 * The folder for the files of the tests' Postgres: in memory if there is room. Copying a database creates 1,700 files,
 * and each test file deletes as many, so that a copy can take seconds on a disk (tests/support/scratch.ts).
 */
export function clusterFolder(): string {
  const checkout = process.cwd();
  const onDisk = path.resolve('.data/tests/postgres');
  const inMemory = path.join(MEMORY, `altavoz-${createHash('sha256').update(checkout).digest('hex').slice(0, 16)}`);
  if (!fs.existsSync(inMemory) && SCRATCH !== MEMORY) return onDisk;
  dropOrphans();
  fs.mkdirSync(inMemory, { recursive: true, mode: 0o755 });
  fs.writeFileSync(path.join(inMemory, OWNER), checkout);
  return inMemory;
}

/** Frees the memory of deleted checkouts, which nothing else would do. */
function dropOrphans(): void {
  for (const name of fs.readdirSync(MEMORY).filter((entry) => /^altavoz-[0-9a-f]{16}$/.test(entry))) {
    const folder = path.join(MEMORY, name);
    const owner = path.join(folder, OWNER);
    if (fs.existsSync(owner) && !fs.existsSync(fs.readFileSync(owner, 'utf8')))
      fs.rmSync(folder, { recursive: true, force: true });
  }
}
