import { compareLoads, medianRatio } from './load';
import { prepareBenchmark } from './prepare-benchmark';
import { creatorHeaders, onAppHost, publicPages } from './public-pages';
import { type Server, startApp, startBare } from './servers';
import { type BenchmarkRow, formatRate, judge, kilobytes } from './table';

/** The goal relative to a bare server that sends 'hello'. */
const GOAL = 0.75;
const CONNECTIONS = 50;

/** Public pages for an anonymous visitor, served from the cache. */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
  const app = await startApp(prepared);
  const hello = await startBare('hello');
  const rows: BenchmarkRow[] = [];
  for (const page of await publicPages(prepared)) rows.push(...(await measure(page, app, hello)));
  await Promise.all([app.stop(), hello.stop()]);
  await prepared.close();
  return rows;
}

async function measure(
  { name, path }: { name: string; path: string },
  app: Server,
  hello: Server,
): Promise<BenchmarkRow[]> {
  const page = await fetch(app.url + onAppHost(path), { headers: { 'accept-encoding': 'br' } });
  const size = Number(page.headers.get('content-length'));
  const same = await startBare(Buffer.alloc(size, 'x'));
  const [cached, plain, equal] = await compareLoads([
    { url: app.url + path, headers: creatorHeaders(app), connections: CONNECTIONS, pid: app.pid },
    { url: hello.url, connections: CONNECTIONS, pid: hello.pid },
    { url: same.url, connections: CONNECTIONS, pid: same.pid },
  ]);
  await same.stop();
  return [
    { label: "bare node:http, 'hello'", figure: formatRate(plain), details: `p99 ${plain.p99Ms.toFixed(1)} ms` },
    { label: `bare, ${kilobytes(size)}`, figure: formatRate(equal), details: `p99 ${equal.p99Ms.toFixed(1)} ms` },
    {
      label: `${name}, cached, br`,
      figure: formatRate(cached),
      details: `${medianRatio(cached, plain).toFixed(2)} of hello, p99 ${cached.p99Ms.toFixed(1)} ms, ${cached.failed} failed`,
      goal: `≥ ${GOAL} of hello`,
      ...judge(medianRatio(cached, plain) / GOAL, { failed: cached.failed, holds: true }),
    },
  ];
}
