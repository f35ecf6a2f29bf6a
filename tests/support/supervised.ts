import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

const SUPERVISOR = path.resolve('scripts/supervise.mjs');

export type Supervised = {
  output: string;
  exit: Promise<unknown[]>;
  kill(signal: NodeJS.Signals): void;
  pids(): number[];
};

/** Runs Node with these arguments as `npm start` does. */
export function supervise(args: string[], env: Record<string, string> = {}, cwd = process.cwd()): Supervised {
  const code = `const { supervise } = await import(${JSON.stringify(SUPERVISOR)}); process.exit(await supervise(${JSON.stringify(args)}));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { cwd, env: { ...process.env, ...env } });
  const started: Supervised = {
    output: '',
    exit: once(child, 'exit'),
    kill: (signal) => void child.kill(signal),
    pids: () => [...started.output.matchAll(/^pid (\d+)$/gm)].map(([, pid]) => Number(pid)),
  };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (started.output += text));
  onTestFinished(() => void child.kill('SIGKILL'));
  return started;
}

/** Waits for up to 40 seconds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 800 && !(await condition()); i += 1) await sleep(50);
}
