import { prepareBenchmark } from './prepare-benchmark';
import { isAnswering, type Server, startApp, startBare } from './servers';
import { type BenchmarkRow, judge, median, milliseconds } from './table';

const GOAL_MS = 700;
const TIMES = 5;

/** Time from the start of the process to its first rendered page; the database is running and migrated. */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
  await (await startApp(prepared)).stop();
  const times: number[] = [];
  for (let i = 0; i < TIMES; i++) {
    const { app, ms } = await startToFirstPage(prepared);
    times.push(ms);
    await app.stop();
  }
  await prepared.close();
  const bare = await startBare('hello');
  await bare.stop();
  const [fastest, slowest] = [Math.min(...times), Math.max(...times)];
  return [
    { label: "bare node:http to its first 'hello'", figure: milliseconds(bare.readyAfterMs) },
    {
      label: 'cold start to the first page',
      figure: milliseconds(median(times)),
      details: `median of ${TIMES} starts: ${milliseconds(fastest)} to ${milliseconds(slowest)}`,
      goal: `≤ ${milliseconds(GOAL_MS)}`,
      ...judge(GOAL_MS / median(times), { holds: true }),
    },
  ];
}

/** Starts the app and requests a page until it answers. */
export async function startToFirstPage(prepared: Parameters<typeof startApp>[0]): Promise<{ app: Server; ms: number }> {
  const startedAt = performance.now();
  const app = await startApp(prepared);
  while (!(await isAnswering(`${app.url}/@lucia/p/corto`))) {
    if (performance.now() - startedAt > 30_000) throw new Error('no page within 30 s');
  }
  return { app, ms: performance.now() - startedAt };
}
