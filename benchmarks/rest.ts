import { compared, share } from './load';
import { prepareBenchmark } from './prepare-benchmark';
import { startApp, startBare } from './servers';
import { type Row, rate } from './table';

/** A page of 20 episodes over the legacy REST API, by a caller with a token. */
export async function run(): Promise<Row[]> {
  const prepared = await prepareBenchmark();
  const app = await startApp(prepared);
  const url = `${app.url}/api/podcasts/${prepared.short.id}/episodes_list/`;
  const headers = { authorization: `Token ${prepared.token}` };
  const answer = await fetch(url, { headers });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${body.slice(0, 200)}`);
  const bare = await startBare(body);
  const [listed, plain] = await compared([
    { url, headers, connections: 16, pid: app.pid },
    { url: bare.url, connections: 16, pid: bare.pid },
  ]);
  await Promise.all([app.stop(), bare.stop()]);
  await prepared.close();
  const { count } = JSON.parse(body);
  return [
    { what: 'bare node:http, the same bytes', figure: rate(plain) },
    {
      what: `REST list of ${count} episodes, with a token`,
      figure: rate(listed),
      beside: `${share(listed, plain).toFixed(2)} of bare, p99 ${listed.p99Ms.toFixed(0)} ms, ${listed.failed} failed`,
    },
  ];
}
