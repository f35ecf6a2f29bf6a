import { compareLoads, medianRatio } from './load';
import { prepareBenchmark } from './prepare-benchmark';
import { creatorHeaders, onAppHost, publicPages } from './public-pages';
import { type Server, startApp, startBare } from './servers';
import { type BenchmarkRow, formatRate, judge } from './table';

const GOAL = 250;
const CONNECTIONS = 50;
/** A parameter that is not cached. */
const FRESH = '?fresh=1';

/** Public pages rendered for each request, from Postgres through React: the cost of a cache miss. */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
  const app = await startApp(prepared);
  const rows: BenchmarkRow[] = [];
  for (const page of await publicPages(prepared)) rows.push(...(await measure(page, app)));
  await app.stop();
  await prepared.close();
  return rows;
}

async function measure({ name, path }: { name: string; path: string }, app: Server): Promise<BenchmarkRow[]> {
  const html = await (await fetch(app.url + onAppHost(path) + FRESH)).text();
  const bare = await startBare(html);
  const [rendered, plain] = await compareLoads([
    { url: app.url + path + FRESH, headers: creatorHeaders(app, ''), connections: CONNECTIONS, pid: app.pid },
    { url: bare.url, connections: CONNECTIONS, pid: bare.pid },
  ]);
  await bare.stop();
  const details = `${medianRatio(rendered, plain).toFixed(3)} of bare, p99 ${rendered.p99Ms.toFixed(0)} ms, ${rendered.failed} failed`;
  return [
    {
      label: 'bare node:http, the same bytes',
      figure: formatRate(plain),
      details: `p99 ${plain.p99Ms.toFixed(1)} ms`,
    },
    {
      label: `${name}, rendered each time`,
      figure: formatRate(rendered),
      details,
      goal: `≥ ${GOAL}/s`,
      ...judge(rendered.perSecond / GOAL, { failed: rendered.failed, holds: false }),
    },
  ];
}
