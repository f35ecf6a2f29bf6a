import { compareLoads, medianRatio } from './load';
import { prepareBenchmark } from './prepare-benchmark';
import { startApp, startBare } from './servers';
import { formatRate, judge, type Row } from './table';

const GOAL = 250;
const CONNECTIONS = 16;

/** The same page rendered for each request, from Postgres through React: the cost of a cache miss. */
export async function run(): Promise<Row[]> {
  const prepared = await prepareBenchmark();
  const app = await startApp(prepared);
  const headers = { host: `staging-lucia.${app.host}` };
  const html = await (await fetch(`${app.url}/@lucia/p/corto?fresh=1`)).text();
  const bare = await startBare(html);
  const [rendered, plain] = await compareLoads([
    { url: `${app.url}/p/corto?fresh=1`, headers, connections: CONNECTIONS, pid: app.pid },
    { url: bare.url, connections: CONNECTIONS, pid: bare.pid },
  ]);
  await Promise.all([app.stop(), bare.stop()]);
  await prepared.close();
  return [
    { label: 'bare node:http, the same bytes', figure: formatRate(plain) },
    {
      label: 'product page with 20 episodes, rendered each time',
      figure: formatRate(rendered),
      details: `${medianRatio(rendered, plain).toFixed(2)} of bare, p99 ${rendered.p99Ms.toFixed(0)} ms, ${rendered.failed} failed`,
      goal: `≥ ${GOAL}/s`,
      ...judge(rendered.perSecond / GOAL, { failed: rendered.failed, holds: false }),
    },
  ];
}
