import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

export const MEMORY = '/dev/shm';
/** Databases and files of two workers take a third of it. */
const ROOM_BYTES = 1024 ** 3;

/**
 * The folder for what no test reads afterwards: in memory if there is room. A disk flushes every stored object, and an
 * ext4 without a journal searches for a new file's inode past all that were deleted lately.
 */
export const SCRATCH = hasRoom() ? MEMORY : tmpdir();

function hasRoom(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}
