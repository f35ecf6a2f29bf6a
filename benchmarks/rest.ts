import { compareLoads, medianRatio } from './load';
import { prepareBenchmark } from './prepare-benchmark';
import { startApp, startBare } from './servers';
import { formatRate, judge, perSecond, type Row } from './table';

const GOAL = 1500;

/** A page of 20 episodes from the legacy REST API, requested with a token. */
export async function run(): Promise<Row[]> {
  const prepared = await prepareBenchmark();
  const app = await startApp(prepared);
  const url = `${app.url}/api/podcasts/${prepared.short.id}/episodes_list/`;
  const headers = { authorization: `Token ${prepared.token}` };
  const response = await fetch(url, { headers });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${body.slice(0, 200)}`);
  const bare = await startBare(body);
  const [listed, plain] = await compareLoads([
    { url, headers, connections: 16, pid: app.pid },
    { url: bare.url, connections: 16, pid: bare.pid },
  ]);
  await Promise.all([app.stop(), bare.stop()]);
  await prepared.close();
  const { count } = JSON.parse(body);
  return [
    { label: 'bare node:http, the same bytes', figure: formatRate(plain) },
    {
      label: `REST list of ${count} episodes, with a token`,
      figure: formatRate(listed),
      details: `${medianRatio(listed, plain).toFixed(2)} of bare, p99 ${listed.p99Ms.toFixed(0)} ms, ${listed.failed} failed`,
      goal: `≥ ${perSecond(GOAL)}`,
      ...judge(listed.perSecond / GOAL, { failed: listed.failed, holds: false }),
    },
  ];
}
