import { compareLoads, medianRatio } from './load';
import { prepareBenchmark } from './prepare-benchmark';
import { startApp, startBare } from './servers';
import { formatRate, judge, kilobytes, type Row } from './table';

/** Relative to a bare server that sends 'hello'. */
const GOAL = 0.75;

/** A product page for an anonymous visitor, served from the cache. */
export async function run(): Promise<Row[]> {
  const prepared = await prepareBenchmark();
  const app = await startApp(prepared);
  const headers = { host: `staging-lucia.${app.host}`, 'accept-encoding': 'gzip, deflate, br' };
  const page = await fetch(`${app.url}/@lucia/p/corto`, { headers: { 'accept-encoding': 'br' } });
  const size = Number(page.headers.get('content-length'));
  const hello = await startBare('hello');
  const same = await startBare(Buffer.alloc(size, 'x'));
  const [cached, plain, equal] = await compareLoads([
    { url: `${app.url}/p/corto`, headers, pid: app.pid },
    { url: hello.url, pid: hello.pid },
    { url: same.url, pid: same.pid },
  ]);
  for (const server of [app, hello, same]) await server.stop();
  await prepared.close();
  return [
    { label: "bare node:http, 'hello'", figure: formatRate(plain) },
    { label: `bare node:http, ${kilobytes(size)}`, figure: formatRate(equal) },
    {
      label: 'product page with 20 episodes, cached, br',
      figure: formatRate(cached),
      details: `${medianRatio(cached, plain).toFixed(2)} of hello, ${cached.failed} failed`,
      goal: `≥ ${GOAL} of hello`,
      ...judge(medianRatio(cached, plain) / GOAL, { failed: cached.failed, holds: true }),
    },
  ];
}
