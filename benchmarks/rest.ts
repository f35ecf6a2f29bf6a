import { compareLoads, type Load, medianRatio } from './load';
import { HAS_WRK } from './machine';
import { prepareBenchmark } from './prepare-benchmark';
import { startApp, startBare } from './servers';
import { type BenchmarkRow, formatRate, judge, perSecond } from './table';

const GOALS = { kept: 1500, computed: 1000 };

/**
 * A page of 20 episodes from the legacy REST API, requested with a token: with the same URL each time, whose answer is
 * kept for a second, and with another parameter each time, so that each answer is computed.
 */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
  const app = await startApp(prepared);
  const url = `${app.url}/api/podcasts/${prepared.short.id}/episodes_list/`;
  const headers = { authorization: `Token ${prepared.token}` };
  const response = await fetch(url, { headers });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${body.slice(0, 200)}`);
  const bare = await startBare(body);
  const target = { url, headers, connections: 16, pid: app.pid };
  const [kept, computed, plain] = await compareLoads([
    target,
    // autocannon sends only one URL
    { ...target, ...(HAS_WRK && { script: ['benchmarks/new-urls.lua'] }) },
    { url: bare.url, connections: 16, pid: bare.pid },
  ]);
  await Promise.all([app.stop(), bare.stop()]);
  await prepared.close();
  const { count } = JSON.parse(body);
  return [
    { label: 'bare node:http, the same bytes', figure: formatRate(plain) },
    rowOf(`REST list of ${count} episodes, with a token, one URL: answers kept for a second`, kept, {
      plain,
      goal: GOALS.kept,
    }),
    ...(HAS_WRK ? [rowOf('the same, each URL once: answers computed', computed, { plain, goal: GOALS.computed })] : []),
  ];
}

function rowOf(label: string, load: Load, { plain, goal }: { plain: Load; goal: number }): BenchmarkRow {
  const { perSecond: best, p99Ms, failed } = load;
  return {
    label,
    figure: formatRate(load),
    details: `${medianRatio(load, plain).toFixed(2)} of bare, p99 ${p99Ms.toFixed(0)} ms, ${failed} failed`,
    goal: `≥ ${perSecond(goal)}`,
    ...judge(best / goal, { failed, holds: true }),
  };
}
