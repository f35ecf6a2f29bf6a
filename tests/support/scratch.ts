import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

export const MEMORY = '/dev/shm';
/** The memory that must be free: databases and files of two workers use a third of it. */
const ROOM_BYTES = 1024 ** 3;

/**
 * The folder for data that no test reads afterwards: in memory if there is room. A disk flushes every stored object,
 * and an ext4 file system without a journal searches past all recently deleted inodes for a new file's inode.
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
