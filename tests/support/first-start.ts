import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { freePort } from '~/db/cluster/port';

/** A data directory that does not exist yet. */
export async function freshDataDir(): Promise<string> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-first-'));
  // below a private directory, root keeps the cluster elsewhere
  await fs.chmod(folder, 0o755);
  onTestFinished(() => fs.rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return path.join(folder, 'data');
}

/** Starts a bundled server in a data directory, like an operator after the build. */
export async function startFirst(main: string, dataDir: string, more: Record<string, string> = {}) {
  const port = await freePort();
  const settings = { DATA_DIR: dataDir, PORT: String(port), DATABASE_URL: '', NODE_ENV: 'production' };
  const env = { PATH: process.env.PATH, ...settings, ...more } as NodeJS.ProcessEnv;
  const child = spawn(process.execPath, [main], { env, cwd: path.dirname(main) });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const started = { output: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      started.output += text;
    });
  /** @returns the exit code */
  const end = async (): Promise<number | null> => (await exited)[0];
  return {
    started,
    url: `http://localhost:${port}/`,
    end,
    /** @throws if the process ends first */
    async until(condition: () => boolean | Promise<boolean>): Promise<void> {
      while (!(await condition())) {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended: ${started.output}`);
        await sleep(20);
      }
    },
    /** @returns the exit code */
    stop(signal: NodeJS.Signals): Promise<number | null> {
      child.kill(signal);
      return end();
    },
  };
}

/** Programs that work in a folder, or have it in their command line. Ending programs get a moment to end. */
export async function programsIn(folder: string): Promise<string[]> {
  for (let tries = 0; ; tries += 1) {
    const pids = (await fs.readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const found = (await Promise.all(pids.map((pid) => describe(pid)))).filter((text) => text.includes(folder));
    if (found.length === 0 || tries === 100) return found;
    await sleep(50);
  }
}

async function describe(pid: string): Promise<string> {
  const [command, cwd] = await Promise.all([
    fs.readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    fs.readlink(`/proc/${pid}/cwd`).catch(() => ''),
  ]);
  return `${command.replaceAll('\0', ' ')} in ${cwd}`;
}
