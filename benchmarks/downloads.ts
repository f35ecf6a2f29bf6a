import { sql } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { compared, share } from './load';
import { prepareBenchmark } from './prepare-benchmark';
import { startBare, startScript } from './servers';
import { perSecond, type Row, rate } from './table';

const GOAL = 25_000;
/** Players that finish at about the same time: what group commit is for. */
const CONNECTIONS = 512;

/** Download events of different listeners: deduplicated, counted into the rollups, committed, then acknowledged. */
export async function run(): Promise<Row[]> {
  const prepared = await prepareBenchmark();
  const [episode] = await prepared.db.select().from(episodes).limit(1);
  const ids = [episode!.id, episode!.creatorId, episode!.productId].map(String);
  const server = await startScript('benchmarks/downloads-server.ts', [prepared.databaseUrl, ...ids]);
  const bare = await startBare('');
  const [recorded, plain] = await compared([
    { url: server.url, connections: CONNECTIONS, pid: server.pid },
    { url: bare.url, connections: CONNECTIONS, pid: bare.pid },
  ]);
  const [kept] = await prepared.db.execute<{ rows: number; total: number }>(sql`
    select (select count(*)::int from downloads where counted_at is not null) as rows,
      (select downloads::int from episode_totals where episode_id = ${episode!.id}) as total`);
  await Promise.all([server.stop(), bare.stop()]);
  await prepared.close();
  return [
    { what: 'bare node:http, no body', figure: rate(plain) },
    {
      what: 'downloads acknowledged after their commit',
      figure: rate(recorded),
      beside: `${share(recorded, plain).toFixed(2)} of bare, p99 ${recorded.p99Ms.toFixed(0)} ms, ${recorded.failed} refused or failed`,
      goal: `≥ ${perSecond(GOAL)}`,
      met: recorded.perSecond >= GOAL && recorded.failed === 0,
    },
    {
      what: 'rows kept, and their sum in the rollup',
      figure: `${kept?.rows} = ${kept?.total}`,
      met: kept?.rows === kept?.total,
    },
  ];
}
