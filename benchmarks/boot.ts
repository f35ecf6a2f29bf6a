import { prepareBenchmark } from './prepare-benchmark';
import { answers, startApp, startBare } from './servers';
import { median, milliseconds, type Row } from './table';

const GOAL_MS = 800;
const TIMES = 5;

/** From the start of the process to its first rendered page, the database being up and migrated. */
export async function run(): Promise<Row[]> {
  const prepared = await prepareBenchmark();
  await (await startApp(prepared)).stop();
  const times: number[] = [];
  for (let i = 0; i < TIMES; i++) {
    const began = performance.now();
    const app = await startApp(prepared);
    while (!(await answers(`${app.url}/@lucia/p/corto`))) {
      if (performance.now() - began > 30_000) throw new Error('the page does not come');
    }
    times.push(performance.now() - began);
    await app.stop();
  }
  await prepared.close();
  const bare = await startBare('hello');
  await bare.stop();
  const [fastest, slowest] = [Math.min(...times), Math.max(...times)];
  return [
    { what: "bare node:http to its first 'hello'", figure: milliseconds(bare.readyAfterMs) },
    {
      what: 'cold start to the first page',
      figure: milliseconds(median(times)),
      beside: `median of ${TIMES}: ${milliseconds(fastest)} to ${milliseconds(slowest)}`,
      goal: `≤ ${milliseconds(GOAL_MS)}`,
      met: median(times) <= GOAL_MS,
    },
  ];
}
