import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { bundle } from '~/scripts/bundle.mjs';
import { deepSeed } from './deep';

/**
 * A script that runs in its own process, and is killed during its work. It prints a line once it has started.
 * @param entry its source, relative to the repository
 * @param threads the sources of threads that it starts
 */
export async function killedProcess(entry: string, threads: Record<string, string> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'altavoz-killed-'));
  await bundle({ ...threads, child: entry }, folder, ['#pages-build', 'vitest']);
  await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  afterAll(() => rm(folder, { recursive: true }));
  let random = deepSeed();

  async function start(args: string[]): Promise<ChildProcess> {
    const file = path.join(folder, 'child.js');
    const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout!, 'data');
    return child;
  }
  const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

  /**
   * Kills the process a number of times, each at a random moment of the first half second, and finally lets it end.
   * @returns how often it was killed during its work
   */
  return async function runKilled(args: string[], kills: number): Promise<number> {
    let hits = 0;
    for (let killed = 0; killed < kills; killed += 1) {
      const child = await start(args);
      random = (random * 48_271) % 2_147_483_647;
      await sleep(50 + (random % 500));
      if (!hasEnded(child)) hits += 1;
      child.kill('SIGKILL');
      if (!hasEnded(child)) await once(child, 'exit');
    }
    const last = await start(args);
    if (!hasEnded(last)) await once(last, 'exit');
    return hits;
  };
}
