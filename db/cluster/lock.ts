import fs from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than any start can take: an older lock is stale. */
const STALE_AFTER_MS = 120_000;

/**
 * Runs `work` while holding a lock file. When web and worker start together, one starts the server and the other finds
 * it.
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const owner = `${process.pid} ${await startTimeOf(process.pid)}`;
  while (!(await tryLock(file, owner))) {
    if (await isStale(file)) await fs.rm(file, { force: true });
    else await sleep(50);
  }
  try {
    return await work();
  } finally {
    await fs.rm(file, { force: true });
  }
}

async function tryLock(file: string, owner: string): Promise<boolean> {
  return fs.writeFile(file, owner, { flag: 'wx' }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
}

/** A process id alone is not enough: after a container restart, another process can have the same id. */
async function isStale(file: string): Promise<boolean> {
  const [text, stat] = await Promise.all([fs.readFile(file, 'utf8'), fs.stat(file)]).catch(
    () => ['', undefined] as const,
  );
  if (!stat) return false;
  if (Date.now() - stat.mtimeMs > STALE_AFTER_MS) return true;
  const [pid = '', startTime] = text.split(' ');
  // The file was just created and is still empty.
  if (pid === '') return false;
  return !isAlive(Number(pid)) || (await startTimeOf(Number(pid))) !== startTime;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The start time of a process in clock ticks (field 22 of /proc/pid/stat); '' without /proc. */
async function startTimeOf(pid: number): Promise<string> {
  const stat = await fs.readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}
