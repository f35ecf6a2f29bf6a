import { openGround } from './ground';
import { compared } from './load';
import { startApp, startBare } from './servers';
import { kilobytes, perSecond, type Row, share } from './table';

/** Of what a bare server says 'hello' (issue: at least this part of it). */
const GOAL = 0.64;

/** An anonymous visitor's product page out of the cache. */
export async function run(): Promise<Row[]> {
  const ground = await openGround();
  const app = await startApp(ground);
  const headers = { host: `staging-lucia.${app.host}`, 'accept-encoding': 'gzip, deflate, br' };
  const page = await fetch(`${app.url}/@lucia/p/corto`, { headers: { 'accept-encoding': 'br' } });
  const size = Number(page.headers.get('content-length'));
  const hello = await startBare('hello');
  const same = await startBare(Buffer.alloc(size, 'x'));
  const [cached, plain, equal] = await compared([
    { url: `${app.url}/p/corto`, headers },
    { url: hello.url },
    { url: same.url },
  ]);
  for (const server of [app, hello, same]) await server.stop();
  await ground.close();
  const met = cached.perSecond >= GOAL * plain.perSecond && cached.failed === 0;
  return [
    { what: "bare node:http, 'hello'", figure: perSecond(plain.perSecond) },
    { what: `bare node:http, ${kilobytes(size)}`, figure: perSecond(equal.perSecond) },
    {
      what: 'product page with 20 episodes, cached, br',
      figure: perSecond(cached.perSecond),
      beside: `${share(cached.perSecond, plain.perSecond)} hello, p99 ${cached.p99Ms.toFixed(1)} ms, ${cached.failed} failed`,
      goal: `≥ ${GOAL} of hello`,
      met,
    },
  ];
}
