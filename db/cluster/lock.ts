import fs from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than any start may take: a lock this old is nobody's. */
const STALE_AFTER_MS = 120_000;

/** Runs `work` while holding `file`. Web and worker boot together: one of them starts the server, the other finds it. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const me = `${process.pid} ${await birthOf(process.pid)}`;
  while (!(await take(file, me))) {
    if (await isStale(file)) await fs.rm(file, { force: true });
    else await sleep(50);
  }
  try {
    return await work();
  } finally {
    await fs.rm(file, { force: true });
  }
}

async function take(file: string, owner: string): Promise<boolean> {
  return fs.writeFile(file, owner, { flag: 'wx' }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
}

/** A pid alone proves nothing: after a restart of a container the same number names another process. */
async function isStale(file: string): Promise<boolean> {
  const [text, stat] = await Promise.all([fs.readFile(file, 'utf8'), fs.stat(file)]).catch(
    () => ['', undefined] as const,
  );
  if (!stat) return false;
  if (Date.now() - stat.mtimeMs > STALE_AFTER_MS) return true;
  const [pid = '', birth] = text.split(' ');
  // Just made and not yet written.
  if (pid === '') return false;
  return !isAlive(Number(pid)) || (await birthOf(Number(pid))) !== birth;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When the process began, in the kernel's ticks (field 22 of its stat); '' where there is no /proc. */
async function birthOf(pid: number): Promise<string> {
  const stat = await fs.readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}
