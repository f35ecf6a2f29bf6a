import { sql } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { compareLoads, medianRatio } from './load';
import { type PreparedBenchmark, prepareBenchmark } from './prepare-benchmark';
import { type Server, startBare, startScript } from './servers';
import { type BenchmarkRow, formatRate, judge, perSecond } from './table';

const GOAL = 25_000;
/** Many downloads that finish at about the same time, so that group commit has an effect. */
const CONNECTIONS = 512;

/**
 * Download events of different listeners, acknowledged after they are deduplicated, added to the totals and committed.
 */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
  const { server, episodeId } = await startDownloads(prepared);
  const bare = await startBare('');
  const [recorded, plain] = await compareLoads([
    { url: server.url, connections: CONNECTIONS, pid: server.pid },
    { url: bare.url, connections: CONNECTIONS, pid: bare.pid },
  ]);
  const [totals] = await prepared.db.execute<{ rows: number; total: number }>(sql`
    select (select count(*)::int from downloads where counted_at is not null) as rows,
      (select downloads::int from episode_totals where episode_id = ${episodeId}) as total`);
  await Promise.all([server.stop(), bare.stop()]);
  await prepared.close();
  return [
    { label: 'bare node:http, no body', figure: formatRate(plain) },
    {
      label: 'downloads acknowledged after their commit',
      figure: formatRate(recorded),
      details: `${medianRatio(recorded, plain).toFixed(2)} of bare, p99 ${recorded.p99Ms.toFixed(0)} ms, ${recorded.failed} rejected or failed`,
      goal: `≥ ${perSecond(GOAL)}`,
      ...judge(recorded.perSecond / GOAL, { failed: recorded.failed, holds: false }),
    },
    {
      label: 'stored rows, and the total',
      figure: `${totals?.rows} = ${totals?.total}`,
      met: totals?.rows === totals?.total,
    },
  ];
}

/** A server for which each request is a full download of an episode by another listener. */
export async function startDownloads({
  db,
  databaseUrl,
}: PreparedBenchmark): Promise<{ server: Server; episodeId: number }> {
  const [episode] = await db.select().from(episodes).limit(1);
  const ids = [episode!.id, episode!.creatorId, episode!.productId].map(String);
  const server = await startScript('benchmarks/downloads-server.ts', [databaseUrl, ...ids]);
  return { server, episodeId: episode!.id };
}
