import { compareLoads, type Load, medianRatio } from './load';
import { prepareBenchmark } from './prepare-benchmark';
import { startApp, startBare } from './servers';
import { type BenchmarkRow, formatRate, judge, kilobytes } from './table';

/** Goals relative to a bare server that gets the same request headers, which cost a tenth, and sends the same bytes. */
const GOAL = { gzip: 0.9, unchanged: 0.95 };

/** Serves a feed of 1,000 episodes with gzip, and as unchanged (304). */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
  const app = await startApp(prepared);
  const host = `staging-lucia.${app.host}`;
  const target = { url: `${app.url}/p/largo/feed.xml`, pid: app.pid };
  const direct = `${app.url}/@lucia/p/largo/feed.xml`;
  const xml = Buffer.from(await (await fetch(direct, { headers: { 'accept-encoding': 'identity' } })).arrayBuffer());
  const response = await fetch(direct, { headers: { 'accept-encoding': 'gzip' } });
  const size = Number(response.headers.get('content-length'));
  const etag = response.headers.get('etag') ?? '';
  const bare = await startBare(Buffer.alloc(size, 'x'));
  const empty = await startBare('');
  const asked = { host, 'accept-encoding': 'gzip' };
  const askedAgain = { ...asked, 'if-none-match': etag };
  const [gzip, unchanged, plain, emptyBare] = await compareLoads([
    { ...target, headers: asked },
    { ...target, headers: askedAgain },
    { url: bare.url, pid: bare.pid, headers: asked },
    { url: empty.url, pid: empty.pid, headers: askedAgain },
  ]);
  for (const server of [app, bare, empty]) await server.stop();
  await prepared.close();
  return [
    { label: `bare node:http, ${kilobytes(size)}`, figure: formatRate(plain) },
    row(`feed of 1,000 episodes, gzip (${kilobytes(xml.length)} plain)`, gzip, plain, GOAL.gzip),
    { label: 'bare node:http, no body', figure: formatRate(emptyBare) },
    row('the same feed, 304', unchanged, emptyBare, GOAL.unchanged),
  ];
}

function row(label: string, ours: Load, bare: Load, goal: number): BenchmarkRow {
  const details = `${medianRatio(ours, bare).toFixed(2)} of bare, ${ours.failed} failed`;
  const judged = judge(medianRatio(ours, bare) / goal, { failed: ours.failed, holds: true });
  return { label, figure: formatRate(ours), details, goal: `≥ ${goal} of bare`, ...judged };
}
