import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from './machine';
import { prepareBenchmark } from './prepare-benchmark';
import { startApp } from './servers';
import { type BenchmarkRow, judge, milliseconds } from './table';

const GOAL = 0.01;
const GOAL_PAUSE_MS = 50;
/** By then, the first page was rendered, and later collections interrupt visitors. */
const STARTED_MS = 5000;
/**
 * After a start, V8 compiles, and the worker looks at every queue once. Then V8 collects the garbage of the start
 * (server/watching/heap-growth.ts), and again after eight quiet seconds.
 */
const SETTLING_MS = 25_000;
const SECONDS = 30;

/**
 * A site without visitors: the processor time of its pages, jobs and schedules in one process, and the longest
 * collection of garbage after a start.
 */
export async function run(seconds = SECONDS): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
  const pause = await longestPause(prepared);
  const app = await startApp(prepared, { WORKER: 'inline' });
  await fetch(`${app.url}/@lucia/p/corto`);
  await sleep(SETTLING_MS);
  const before = cpuSeconds(app.pid);
  await sleep(seconds * 1000);
  const share = (cpuSeconds(app.pid) - before) / seconds;
  await app.stop();
  await prepared.close();
  return [
    {
      label: 'idle site with its jobs',
      figure: `${(share * 100).toFixed(1)} % of a core`,
      details: `without Postgres, for ${seconds} s`,
      goal: `≤ ${GOAL * 100} %`,
      ...judge(GOAL / share, { holds: true }),
    },
    {
      label: 'longest collection after a start',
      figure: milliseconds(pause),
      details: `from ${milliseconds(STARTED_MS)} to ${milliseconds(SETTLING_MS)} after the start, in which the process stands still`,
      goal: `≤ ${milliseconds(GOAL_PAUSE_MS)}`,
      ...judge(GOAL_PAUSE_MS / pause, { holds: false }),
    },
  ];
}

/** Milliseconds for which a process without visitors stands still, of a start of its own. */
async function longestPause(prepared: Parameters<typeof startApp>[0]): Promise<number> {
  const file = `${prepared.dataDir}.pauses`;
  const app = await startApp(prepared, { NODE_OPTIONS: '--import ./benchmarks/gc-pauses.mjs', GC_PAUSES: file });
  await fetch(`${app.url}/@lucia/p/corto`);
  await sleep(SETTLING_MS);
  await app.stop();
  const pauses = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
  await rm(file);
  return Math.max(...pauses.map(([at, ms]) => (at! > STARTED_MS && at! < SETTLING_MS ? ms! : 0)));
}
