import { compared, type Load, share } from './load';
import { prepareBenchmark } from './prepare-benchmark';
import { startApp, startBare } from './servers';
import { kilobytes, perSecond, type Row, rate } from './table';

const GOAL = { gzip: 30_000, unchanged: 50_000 };

/** Serves a feed of 1,000 episodes in gzip, and as unchanged (304). */
export async function run(): Promise<Row[]> {
  const prepared = await prepareBenchmark();
  const app = await startApp(prepared);
  const host = `staging-lucia.${app.host}`;
  const target = { url: `${app.url}/p/largo/feed.xml`, pid: app.pid };
  const direct = `${app.url}/@lucia/p/largo/feed.xml`;
  const xml = Buffer.from(await (await fetch(direct, { headers: { 'accept-encoding': 'identity' } })).arrayBuffer());
  const answer = await fetch(direct, { headers: { 'accept-encoding': 'gzip' } });
  const size = Number(answer.headers.get('content-length'));
  const etag = answer.headers.get('etag') ?? '';
  const bare = await startBare(Buffer.alloc(size, 'x'));
  const empty = await startBare('');
  const [gzip, unchanged, plain, nothing] = await compared([
    { ...target, headers: { host, 'accept-encoding': 'gzip' } },
    { ...target, headers: { host, 'accept-encoding': 'gzip', 'if-none-match': etag } },
    { url: bare.url, pid: bare.pid },
    { url: empty.url, pid: empty.pid },
  ]);
  for (const server of [app, bare, empty]) await server.stop();
  await prepared.close();
  return [
    { what: `bare node:http, ${kilobytes(size)}`, figure: rate(plain) },
    row(`feed of 1,000 episodes, gzip (${kilobytes(xml.length)} plain)`, gzip, plain, GOAL.gzip),
    { what: 'bare node:http, no body', figure: rate(nothing) },
    row('the same feed, 304', unchanged, nothing, GOAL.unchanged),
  ];
}

function row(what: string, ours: Load, bare: Load, goal: number): Row {
  const beside = `${share(ours, bare).toFixed(2)} of bare, ${ours.failed} failed`;
  const met = ours.perSecond >= goal && ours.failed === 0;
  return { what, figure: rate(ours), beside, goal: `≥ ${perSecond(goal)}`, met };
}
