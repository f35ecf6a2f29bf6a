import { compared, share } from './load';
import { prepareBenchmark } from './prepare-benchmark';
import { startApp, startBare } from './servers';
import { kilobytes, type Row, rate } from './table';

/** Of what a bare server says 'hello'. */
const GOAL = 0.64;

/** An anonymous visitor's product page out of the cache. */
export async function run(): Promise<Row[]> {
  const prepared = await prepareBenchmark();
  const app = await startApp(prepared);
  const headers = { host: `staging-lucia.${app.host}`, 'accept-encoding': 'gzip, deflate, br' };
  const page = await fetch(`${app.url}/@lucia/p/corto`, { headers: { 'accept-encoding': 'br' } });
  const size = Number(page.headers.get('content-length'));
  const hello = await startBare('hello');
  const same = await startBare(Buffer.alloc(size, 'x'));
  const [cached, plain, equal] = await compared([
    { url: `${app.url}/p/corto`, headers, pid: app.pid },
    { url: hello.url, pid: hello.pid },
    { url: same.url, pid: same.pid },
  ]);
  for (const server of [app, hello, same]) await server.stop();
  await prepared.close();
  return [
    { what: "bare node:http, 'hello'", figure: rate(plain) },
    { what: `bare node:http, ${kilobytes(size)}`, figure: rate(equal) },
    {
      what: 'product page with 20 episodes, cached, br',
      figure: rate(cached),
      beside: `${share(cached, plain).toFixed(2)} of hello, ${cached.failed} failed`,
      goal: `≥ ${GOAL} of hello`,
      met: share(cached, plain) >= GOAL && cached.failed === 0,
    },
  ];
}
