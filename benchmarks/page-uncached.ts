import { openGround } from './ground';
import { compared } from './load';
import { startApp, startBare } from './servers';
import { perSecond, type Row, share } from './table';

const GOAL = 400;

/** The same page rendered for each request, from Postgres through React: what a question that the cache does not know costs. */
export async function run(): Promise<Row[]> {
  const ground = await openGround();
  const app = await startApp(ground);
  const headers = { host: `staging-lucia.${app.host}` };
  const url = `${app.url}/p/corto?fresh=1`;
  const html = await (await fetch(`${app.url}/@lucia/p/corto?fresh=1`)).text();
  const bare = await startBare(html);
  const [rendered, plain] = await compared([
    { url, headers, connections: 16 },
    { url: bare.url, connections: 16 },
  ]);
  await Promise.all([app.stop(), bare.stop()]);
  await ground.close();
  return [
    { what: 'bare node:http, the same bytes', figure: perSecond(plain.perSecond) },
    {
      what: 'product page with 20 episodes, rendered each time',
      figure: perSecond(rendered.perSecond),
      beside: `${share(rendered.perSecond, plain.perSecond)} bare, p99 ${rendered.p99Ms.toFixed(0)} ms, ${rendered.failed} failed`,
      goal: `≥ ${GOAL}/s`,
      met: rendered.perSecond >= GOAL && rendered.failed === 0,
    },
  ];
}
