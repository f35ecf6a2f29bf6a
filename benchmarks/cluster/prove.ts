// `npm run prove:cluster`: two web and two worker processes behind nginx, on one Postgres behind PgBouncer and one S3
// server. Runs the journeys and a load, kills each process in turn, and checks that nothing acknowledged is lost.
// Ten minutes of mixed load follow (CLUSTER_MINUTES); then every connection to the database must be free again.
// It needs nginx and PgBouncer, and takes about twenty minutes. `--no-journeys` leaves the journeys out.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { freePort } from '~/db/cluster/port';
import { feedPath } from '~/server/base/public-paths';
import { toolPath } from '../../tests/support/tools';
import {
  type Client,
  clientOf,
  emptyTally,
  endPlay,
  PLAYING_MS,
  type Play,
  playAudio,
  publishEpisode,
  readPage,
  startPlays,
  type Tally,
} from './client';
import { type Cluster, startCluster } from './cluster';

const ROUNDS = Number(process.env.CLUSTER_ROUNDS ?? 3);
const MIXED_MINUTES = Number(process.env.CLUSTER_MINUTES ?? 10);
/** Readers whose requests always query the database. */
const READERS = 24;
const PAUSE_MS = 4000;
const RETURN_TIMEOUT_MS = 30_000;
const PLAYS = 1000;
const SETTLE_TIMEOUT_MS = 120_000;

/** Lucía's show with its page and feed, and one of its episodes with its audio. */
async function findTargets({ send, logIn }: Client) {
  const token = await logIn('lucia@altavoz.example');
  const authorization = { authorization: `Token ${token}` };
  const fetchJson = async (url: string) => JSON.parse((await send(url, { headers: authorization }))!.body.toString());
  const { id: show, slug } = (await fetchJson('/api/podcasts/')).results[0];
  const episodes = (await fetchJson(`/api/podcasts/${show}/episodes_list/`)).results as { id: number; type: string }[];
  const host = 'staging-lucia.altavoz.localhost';
  const feed = (await send(feedPath(slug), { host }))!.body.toString();
  const enclosure = new URL(/<enclosure[^>]*url="([^"]+)"/.exec(feed)![1]!.replaceAll('&amp;', '&'));
  return {
    writer: { token, show },
    episodes: episodes.filter(({ type }) => type === 'public').map(({ id }) => id),
    pages: [{ path: '/' }, { host, path: '/' }, { host, path: feedPath(slug) }, { path: '/api/discover/' }],
    queries: ['/api/podcasts/', `/api/podcasts/${show}/episodes_list/`, '/api/auth/user/', '/en/login'].map((path) => ({
      path,
      headers: authorization,
    })),
    audio: { host: enclosure.hostname, path: enclosure.pathname + enclosure.search },
  };
}
type Targets = Awaited<ReturnType<typeof findTargets>>;

/** Runs listeners, apps and a creator at the same time, until `isOver`. */
async function loadCluster(client: Client, tally: Tally, targets: Targets, plays: Play[], isOver: () => boolean) {
  const { writer, pages, audio } = targets;
  const repeat = async (pauseMs: number, act: () => Promise<void>) => {
    for (; !isOver(); await sleep(pauseMs)) await act();
  };
  await Promise.all([
    ...pages.map((page) => repeat(40, () => readPage(client, tally, page))),
    ...[1, 2].map(() => repeat(100, () => playAudio(client, tally, audio))),
    repeat(100, async () => {
      const next = plays.pop();
      if (next) await endPlay(client, tally, next);
    }),
    repeat(500, () => publishEpisode(client, tally, writer)),
  ]);
}

/** What users of a busy site do at the same time: pages and lists from the database, audio, and new episodes. */
async function mixLoad(client: Client, tally: Tally, { writer, queries, pages, audio }: Targets): Promise<void> {
  const until = performance.now() + MIXED_MINUTES * 60_000;
  const repeat = async (pauseMs: number, act: (round: number) => Promise<void>) => {
    for (let round = 0; performance.now() < until; round += 1) {
      await act(round);
      await sleep(pauseMs);
    }
  };
  // each URL once, so that no process has the answer in memory
  const ask = (reader: number, round: number) => {
    const { path, headers } = queries[(reader + round) % queries.length]!;
    return readPage(client, tally, { path: `${path}?reader=${reader}-${round}`, headers });
  };
  await Promise.all([
    ...Array.from({ length: READERS }, (_, reader) => repeat(50, (round) => ask(reader, round))),
    ...pages.map((page) => repeat(40, () => readPage(client, tally, page))),
    repeat(100, () => playAudio(client, tally, audio)),
    repeat(3000, () => publishEpisode(client, tally, writer)),
  ]);
}

/** Connections that are still in use when the load has ended. The jobs of the load may run for a while. */
async function findUsed({ members }: Cluster): Promise<string[]> {
  for (const until = Date.now() + RETURN_TIMEOUT_MS; ; await sleep(500)) {
    const counts = Object.assign({}, ...(await Promise.all(members.map((member) => member.usedConnections()))));
    const used = Object.entries(counts).filter(([, count]) => count !== 0);
    if (used.length === 0 || Date.now() > until) return used.map(([pool, count]) => `${pool}: ${count} in use`);
  }
}

async function killInTurn({ members }: Cluster): Promise<Record<string, number[]>> {
  const seconds: Record<string, number[]> = Object.fromEntries(members.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const member of members) {
      await sleep(PAUSE_MS);
      const took = await member.kill();
      seconds[member.name]!.push(Math.round(took * 10) / 10);
    }
  await sleep(PAUSE_MS);
  return seconds;
}

async function countListens(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int from listens`;
  return row!.count;
}

/** Acknowledged writes that are missing or stored twice. `listensBefore`: counted before the load. */
async function findLosses(
  sql: postgres.Sql,
  { listens, repeated, episodes }: Tally,
  listensBefore: number,
): Promise<string[]> {
  const counted = (await countListens(sql)) - listensBefore;
  const fits = counted >= listens && counted <= listens + repeated;
  const lost = fits ? [] : [`${listens} listens acknowledged, ${counted} counted`];
  const names = sql(episodes.map(({ name }) => name));
  for (const until = Date.now() + SETTLE_TIMEOUT_MS; Date.now() < until; await sleep(1000)) {
    const [waiting] = await sql`select 1 from episodes where name in ${names} and status = 'in_progress' limit 1`;
    if (!waiting) break;
  }
  const found = await sql<{ name: string; status: string }[]>`
    select name, status from episodes where name in ${names}`;
  for (const { name } of episodes) {
    const rows = found.filter((row) => row.name === name);
    if (rows.length !== 1 || rows[0]!.status !== 'published')
      lost.push(`${name}: ${rows.map(({ status }) => status).join(', ') || 'missing'}`);
  }
  return lost;
}

/** Asynchronous, because the S3 server is in this process. */
async function runJourneys({ port, env }: Cluster): Promise<boolean> {
  const own = { ...process.env, ...env, JOURNEYS_PORT: String(port), JOURNEYS_RUNNING: '1', CI: 'true' };
  const args = ['scripts/browser.mjs', 'playwright', 'test'];
  const [status] = await once(spawn(process.execPath, args, { env: own, stdio: 'inherit' }), 'exit');
  return status === 0;
}

async function prove(): Promise<boolean> {
  const missing = ['nginx', 'pgbouncer'].filter((name) => !toolPath(name));
  if (missing.length > 0) throw new Error(`Install ${missing.join(' and ')} first.`);
  const dir = await mkdtemp(path.join(tmpdir(), 'altavoz-cluster-'));
  const cluster = await startCluster(dir, await freePort());
  const sql = postgres(cluster.databaseUrl, { max: 2, onnotice: () => {} });
  const client = clientOf(cluster.port);
  try {
    const targets = await findTargets(client);
    const plays = await startPlays(client, targets.episodes, PLAYS);
    const passed = process.argv.includes('--no-journeys') || (await runJourneys(cluster));
    await sleep(PLAYING_MS);
    const tally = emptyTally();
    const listensBefore = await countListens(sql);
    let isOver = false;
    const began = performance.now();
    const loading = loadCluster(client, tally, targets, plays, () => isOver);
    const seconds = await Promise.race([killInTurn(cluster), loading.then(() => Promise.reject(new Error('no load')))]);
    isOver = true;
    await loading;
    await mixLoad(client, tally, targets);
    const used = await findUsed(cluster);
    const losses = await findLosses(sql, tally, listensBefore);
    const { listens, episodes, repeated, reads, failedReads, resumed } = tally;
    console.table(seconds);
    console.log({
      seconds: Math.round((performance.now() - began) / 1000),
      reads,
      failedReads: failedReads.length,
      resumedStreams: resumed,
      listens,
      episodes: episodes.length,
      repeatedWrites: repeated,
      lost: losses.length,
      connectionsInUse: used.length,
    });
    for (const line of [...failedReads, ...losses, ...used].slice(0, 20)) console.error(line);
    return passed && [...failedReads, ...losses, ...used].length === 0;
  } finally {
    client.close();
    await sql.end();
    await cluster.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

process.exit((await prove()) ? 0 : 1);
