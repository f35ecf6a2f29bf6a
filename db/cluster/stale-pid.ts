import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 10_000;

/**
 * After a kill -9 postmaster.pid names a process that is gone, a zombie nobody reaps, or a stranger who was given the
 * number since. Postgres looks only whether the number lives, and would refuse to start.
 *
 * The file goes only when no living process works in the data directory: the children of a killed postmaster take a
 * moment to notice, and a second server beside them would ruin the data.
 */
export async function clearStalePid(data: string): Promise<void> {
  const file = path.join(data, 'postmaster.pid');
  const text = await fs.readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined || process.platform !== 'linux') return;
  const postmaster = Number(text.split('\n')[0]);
  for (let waited = 0; waited < PATIENCE_MS; waited += 100) {
    const workers = await processesIn(data);
    if (workers.includes(postmaster)) return;
    if (workers.length === 0) return fs.rm(file, { force: true });
    await sleep(100);
  }
}

/** Every Postgres process has the data directory as its working directory; a zombie has none. */
async function processesIn(dir: string): Promise<number[]> {
  const home = await fs.realpath(dir);
  const pids = (await fs.readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const homes = await Promise.all(pids.map((pid) => fs.readlink(`/proc/${pid}/cwd`).catch(() => '')));
  return pids.filter((_, i) => homes[i] === home).map(Number);
}
