import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from './machine';
import { prepareBenchmark } from './prepare-benchmark';
import { startApp } from './servers';
import { type BenchmarkRow, judge } from './table';

const GOAL = 0.01;
/**
 * After a start, V8 compiles, and the worker looks at every queue once. Then V8 collects the garbage of the start
 * (server/watching/heap-growth.ts), and again after eight quiet seconds.
 */
const SETTLING_MS = 25_000;
const SECONDS = 30;

/** Processor time of a site without visitors: pages, jobs and schedules in one process. */
export async function run(seconds = SECONDS): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
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
  ];
}
