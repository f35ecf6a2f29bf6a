import { mkdir, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { DAYS } from '../../base/time';
import { FREE_SPACE_LIMITS } from '../../limits/media';

const STALE_MS = DAYS(1);

/** Work with files of its own, which are deleted afterwards. Processes may share `folder`. @throws ENOSPC */
export async function inTemporaryFolder<T>(
  folder: string,
  bytes: number,
  work: (own: string) => Promise<T>,
): Promise<T> {
  await removeStale(folder);
  await assertSpace(folder, bytes);
  const own = await mkdtemp(join(folder, 'file-'));
  try {
    return await work(own);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** @throws ENOSPC before the disk is full, as the disk would: Postgres needs a person after one that is full */
async function assertSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize - bytes >= FREE_SPACE_LIMITS.reserve) return;
  throw Object.assign(new Error('no space to convert a file'), { code: 'ENOSPC' });
}

/** Deletes the files of a process that crashed. */
async function removeStale(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found && Date.now() - found.mtimeMs > STALE_MS) await rm(path, { recursive: true, force: true });
  }
}
