import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '~/db/cluster/port';
import { memoryEnv, nodeFlags } from '../scripts/node-flags.mjs';
import { cpuSeconds } from './machine';
import { isAnswering } from './servers';
import { type BenchmarkRow, judge, median } from './table';

const GOAL_SECONDS = { page: 5, demo: 40 };
/** Number of first starts, and of busy processes that run beside each. */
const { FIRST_STARTS = '3', BUSY_PROCESSES = '0' } = process.env;
const LIMIT_SECONDS = 1800;

type Start = { pageSeconds: number; demoSeconds: number; cpu: number };

/** Time from the start of the built app in an empty data directory to its first page, and to the whole demo. */
export async function run(): Promise<BenchmarkRow[]> {
  const busy = Array.from({ length: Number(BUSY_PROCESSES) }, () => spawn(process.execPath, ['-e', 'for (;;);']));
  const starts: Start[] = [];
  let failed = 0;
  try {
    for (let i = 0; i < Number(FIRST_STARTS); i += 1) {
      const result = await startOnce();
      if (result) starts.push(result);
      else failed += 1;
      console.log(result ?? 'failed', `load ${os.loadavg()[0]?.toFixed(1)}`);
    }
  } finally {
    for (const { pid } of busy) if (pid) process.kill(pid, 'SIGKILL');
  }
  const outcome = `${starts.length} of ${FIRST_STARTS} starts, beside ${BUSY_PROCESSES} busy processes`;
  return [
    row('first start to the first page', GOAL_SECONDS.page, { of: starts.map((each) => each.pageSeconds), failed }),
    row('first start to the whole demo', GOAL_SECONDS.demo, { of: starts.map((each) => each.demoSeconds), failed }),
    { label: 'processor time of the process', figure: seconds(median(starts.map(({ cpu }) => cpu))), details: outcome },
  ];
}

const seconds = (value: number) => `${value.toFixed(1)} s`;

function row(label: string, goal: number, { of, failed }: { of: number[]; failed: number }): BenchmarkRow {
  const details = `${seconds(Math.min(...of))} to ${seconds(Math.max(...of))}`;
  const judged = judge(goal / median(of), { holds: false, failed });
  return { label, figure: seconds(median(of)), details, goal: `≤ ${goal} s`, ...judged };
}

/** Null if the process ended before the demo was complete. */
async function startOnce(): Promise<Start | null> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'altavoz-first-'));
  // below a private directory, root would keep the cluster in another one
  await chmod(dataDir, 0o755);
  const port = await freePort();
  const settings = { PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: '', APP_ENV: 'local', LOG_LEVEL: 'info' };
  const env = { ...process.env, ...memoryEnv(), ...settings, NODE_ENV: 'production' as const };
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeFlags(), 'build/main/main.js'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const demo = untilPrinted(child, 'Demo logins', startedAt);
  const page = untilAnswered(child, `http://127.0.0.1:${port}/en`, startedAt);
  const [pageSeconds, demoSeconds] = await Promise.all([page, demo]);
  const cpu = child.exitCode === null ? cpuSeconds(child.pid!) : 0;
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  return pageSeconds && demoSeconds ? { pageSeconds, demoSeconds, cpu } : null;
}

const since = (startedAt: number) => (performance.now() - startedAt) / 1000;

function untilPrinted(child: ChildProcess, text: string, startedAt: number): Promise<number | null> {
  return new Promise((resolve) => {
    let output = '';
    child.stdout?.on('data', (part) => {
      output += part;
      if (output.includes(text)) resolve(since(startedAt));
    });
    child.once('exit', () => resolve(null));
  });
}

async function untilAnswered(child: ChildProcess, url: string, startedAt: number): Promise<number | null> {
  while (!(await isAnswering(url))) {
    if (child.exitCode !== null || since(startedAt) > LIMIT_SECONDS) return null;
    await sleep(20);
  }
  return since(startedAt);
}
