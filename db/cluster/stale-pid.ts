import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT_MS = 10_000;

/**
 * After a kill -9, postmaster.pid names a dead process, an unreaped zombie, or an unrelated process that got the same
 * pid. Postgres only checks that the pid exists, and would refuse to start.
 *
 * The file is deleted only when no process uses the data directory: the children of a killed postmaster take a moment
 * to exit, and a second server would corrupt the data.
 */
export async function clearStalePid(data: string): Promise<void> {
  const file = path.join(data, 'postmaster.pid');
  const text = await fs.readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined || process.platform !== 'linux') return;
  const postmaster = Number(text.split('\n')[0]);
  for (let waited = 0; waited < TIMEOUT_MS; waited += 100) {
    const workers = await processesIn(data);
    if (workers.includes(postmaster)) return;
    if (workers.length === 0) return fs.rm(file, { force: true });
    await sleep(100);
  }
}

/** Every Postgres process has the data directory as its working directory; zombies have none. */
async function processesIn(dir: string): Promise<number[]> {
  const target = await fs.realpath(dir);
  const pids = (await fs.readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const directories = await Promise.all(pids.map((pid) => fs.readlink(`/proc/${pid}/cwd`).catch(() => '')));
  return pids.filter((_, i) => directories[i] === target).map(Number);
}
