import { openGround } from './ground';
import { compared } from './load';
import { startApp, startBare } from './servers';
import { kilobytes, perSecond, type Row, share } from './table';

const GOAL = { gzip: 30_000, unchanged: 50_000 };

/** A feed of 1,000 episodes: whole in gzip, and unchanged since the app asked last. */
export async function run(): Promise<Row[]> {
  const ground = await openGround();
  const app = await startApp(ground);
  const host = `staging-lucia.${app.host}`;
  const url = `${app.url}/p/largo/feed.xml`;
  const direct = `${app.url}/@lucia/p/largo/feed.xml`;
  const xml = Buffer.from(await (await fetch(direct, { headers: { 'accept-encoding': 'identity' } })).arrayBuffer());
  const answer = await fetch(direct, { headers: { 'accept-encoding': 'gzip' } });
  const size = Number(answer.headers.get('content-length'));
  const etag = answer.headers.get('etag') ?? '';
  const bare = await startBare(Buffer.alloc(size, 'x'));
  const empty = await startBare('');
  const [gzip, unchanged, plain, nothing] = await compared([
    { url, headers: { host, 'accept-encoding': 'gzip' } },
    { url, headers: { host, 'accept-encoding': 'gzip', 'if-none-match': etag } },
    { url: bare.url },
    { url: empty.url },
  ]);
  for (const server of [app, bare, empty]) await server.stop();
  await ground.close();
  const beside = (part: typeof gzip, whole: typeof gzip) =>
    `${share(part.perSecond, whole.perSecond)} bare, p99 ${part.p99Ms.toFixed(1)} ms, ${part.failed} failed`;
  return [
    { what: `bare node:http, ${kilobytes(size)}`, figure: perSecond(plain.perSecond) },
    {
      what: `feed of 1,000 episodes, gzip (${kilobytes(xml.length)} plain)`,
      figure: perSecond(gzip.perSecond),
      beside: beside(gzip, plain),
      goal: `≥ ${perSecond(GOAL.gzip)}`,
      met: gzip.perSecond >= GOAL.gzip && gzip.failed === 0,
    },
    { what: 'bare node:http, no body', figure: perSecond(nothing.perSecond) },
    {
      what: 'the same feed, 304',
      figure: perSecond(unchanged.perSecond),
      beside: beside(unchanged, nothing),
      goal: `≥ ${perSecond(GOAL.unchanged)}`,
      met: unchanged.perSecond >= GOAL.unchanged && unchanged.failed === 0,
    },
  ];
}
