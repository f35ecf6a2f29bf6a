import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const MEMORY = '/dev/shm';
/** The templates, the copies of two workers and the log take a third of it. */
const ROOM_BYTES = 1024 ** 3;
/** Names the checkout that a folder in memory belongs to. */
const OWNER = 'checkout';

/**
 * Where the tests' Postgres keeps its files: in memory if there is room. A copied database is 1,700 new files, and each
 * test file deletes as many: an ext4 without a journal searches for a new file's inode past all that were deleted lately,
 * so that a copy takes seconds.
 */
export function clusterFolder(): string {
  const checkout = process.cwd();
  const onDisk = path.resolve('.data/tests/postgres');
  const inMemory = path.join(MEMORY, `altavoz-${createHash('sha256').update(checkout).digest('hex').slice(0, 16)}`);
  if (!fs.existsSync(inMemory) && !hasRoom()) return onDisk;
  dropOrphans();
  fs.mkdirSync(inMemory, { recursive: true, mode: 0o755 });
  fs.writeFileSync(path.join(inMemory, OWNER), checkout);
  return inMemory;
}

function hasRoom(): boolean {
  try {
    fs.accessSync(MEMORY, fs.constants.W_OK);
    const { bavail, bsize } = fs.statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}

/** Nothing else would ever free the memory of a checkout that was deleted. */
function dropOrphans(): void {
  for (const name of fs.readdirSync(MEMORY).filter((entry) => /^altavoz-[0-9a-f]{16}$/.test(entry))) {
    const folder = path.join(MEMORY, name);
    const owner = path.join(folder, OWNER);
    if (fs.existsSync(owner) && !fs.existsSync(fs.readFileSync(owner, 'utf8')))
      fs.rmSync(folder, { recursive: true, force: true });
  }
}
