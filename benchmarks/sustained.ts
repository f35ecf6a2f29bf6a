import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { request } from 'undici';
import { residentBytes } from './machine';
import { addAudio, prepareBenchmark } from './prepare-benchmark';
import { creatorHeaders } from './public-pages';
import { startApp } from './servers';
import { type Call, emptyTally, percentile, sustainedClient, type Tally } from './sustained-client';
import { type BenchmarkRow, judge, megabytes } from './table';

const MINUTES = Number(process.env.SUSTAINED_MINUTES ?? 30);
const GOAL = { p99: 100, growth: 0.05 };
/** By then, caches, compiled code and connections have reached their full size. */
const WARM_UP_MS = Math.min(120_000, (MINUTES * 60_000) / 5);
const STREAMS = 50;
const STREAMED = 100_000_000 / 8;
const USERS = 20;
const DOWNLOAD_BYTES = 12_000;

/**
 * All load at the same time, on the machine that also runs the clients and Postgres: 1,000 cached pages and 500 polls
 * of a feed per second (nine of ten conditional), 100 Mbit/s of streamed audio, 500 downloads of different listeners
 * per second, 20 people in the studio, and an import that never ends.
 */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
  const long = await addAudio(prepared);
  const small = await addAudio(prepared, Buffer.alloc(DOWNLOAD_BYTES, 1), 1);
  const app = await startApp(prepared, { TRUST_PROXY: '1', LOG_LEVEL: 'info' });
  const importing = importsIn(prepared);
  const host = creatorHeaders(app);
  // fetch can't set a host
  const feed = await request(`${app.url}/p/corto/feed.xml`, { headers: { ...host, 'accept-encoding': 'gzip' } });
  await feed.body.dump();
  const { etag } = feed.headers;
  if (typeof etag !== 'string') throw new Error(`the feed answers ${feed.statusCode}, without an ETag`);
  const calls: Record<string, (n: number) => Call> = {
    pages: () => ({ path: '/p/corto', headers: { ...host, 'accept-encoding': 'br' } }),
    feeds: (n) => ({
      path: '/p/corto/feed.xml',
      headers: { ...host, 'accept-encoding': 'gzip', ...(n % 10 > 0 && { 'if-none-match': etag }) },
    }),
    downloads: (n) => ({ path: small.path, headers: listener(n) }),
    studio: (n) => studioCall(prepared, n),
  };
  const tallies = {
    pages: emptyTally(),
    feeds: emptyTally(),
    downloads: emptyTally(),
    studio: emptyTally(),
    audio: emptyTally(),
  };
  const client = sustainedClient(app.url);
  const work = [
    client.atRate(1000, 64, calls.pages!, tallies.pages),
    client.atRate(500, 64, calls.feeds!, tallies.feeds),
    client.atRate(500, 64, calls.downloads!, tallies.downloads),
    // each of them sends a request every other second
    client.atRate(USERS / 2, USERS, calls.studio!, tallies.studio),
    ...Array.from({ length: STREAMS }, (_, i) =>
      client.stream({ path: long.path, headers: listener(-i - 1) }, STREAMED / STREAMS, tallies.audio),
    ),
  ];
  await sleep(WARM_UP_MS);
  for (const tally of Object.values(tallies)) Object.assign(tally, emptyTally());
  const measuredFrom = performance.now();
  const memory = [residentBytes(app.pid, 'VmRSS')];
  while (performance.now() - measuredFrom < MINUTES * 60_000 - WARM_UP_MS) {
    await sleep(10_000);
    memory.push(residentBytes(app.pid, 'VmRSS'));
  }
  const seconds = (performance.now() - measuredFrom) / 1000;
  await client.end();
  await Promise.all(work);
  const imported = await importing.end();
  const [counted] = await prepared.db.execute<{ rows: number }>(sql`select count(*)::int as rows from downloads`);
  await app.stop();
  await prepared.close();
  return [
    ...Object.entries(tallies).map(([name, tally]) => rowOf(name, tally, seconds)),
    { label: 'downloads counted', figure: (counted?.rows ?? 0).toLocaleString('en') },
    { label: 'episodes imported meanwhile', figure: String(imported.done), details: `${imported.failed} failed` },
    memoryRow(memory),
  ];
}

/** Each call comes from another listener behind the proxy. */
const listener = (n: number): Record<string, string> => ({
  host: 'altavoz.localhost',
  'user-agent': 'AntennaPod/3.1.2',
  'x-forwarded-for': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
});

function studioCall({ short, token }: { short: { id: number }; token: string }, n: number): Call {
  const headers = { host: 'altavoz.localhost', authorization: `Token ${token}`, cookie: `token=${token}` };
  const paths = ['/dashboard', `/api/podcasts/${short.id}/episodes_list/`, '/products', '/trpc/accounts.me'];
  return { path: paths[n % paths.length]!, headers };
}

function importsIn({ databaseUrl, dataDir }: { databaseUrl: string; dataDir: string }) {
  const args = ['--import', 'tsx', 'benchmarks/sustained-import.ts', databaseUrl, dataDir];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const total = { done: 0, failed: 0 };
  let isEnding = false;
  child.stdout.on('data', (text) => {
    for (const line of String(text).trim().split('\n')) {
      const { imported, failed } = JSON.parse(line);
      total.done += imported;
      total.failed += failed;
    }
  });
  const exited = once(child, 'exit');
  void exited.then(() => {
    if (!isEnding) total.failed += 1;
  });
  return {
    async end() {
      isEnding = true;
      child.kill('SIGKILL');
      await exited;
      return total;
    },
  };
}

function rowOf(name: string, { sent, failed, bytes, ms, statuses }: Tally, seconds: number): BenchmarkRow {
  const p99 = percentile(ms, 0.99);
  const rate =
    name === 'audio' ? `${((bytes * 8) / seconds / 1e6).toFixed(0)} Mbit/s` : `${Math.round(sent / seconds)}/s`;
  const answers = Object.entries(statuses).map(([status, count]) => `${count.toLocaleString('en')} × ${status}`);
  const times = ms.length > 0 ? [`p50 ${percentile(ms, 0.5).toFixed(1)} ms`, `p99 ${p99.toFixed(0)} ms`] : [];
  return {
    label: name,
    figure: rate,
    details: [...times, ...answers, `${failed} failed`].join(', '),
    ...(name === 'pages' && { goal: `p99 ≤ ${GOAL.p99} ms`, ...judge(GOAL.p99 / p99, { failed, holds: false }) }),
    ...(name !== 'pages' && { goal: '0 failed', met: failed === 0 }),
  };
}

/** Compares means, because each reading depends on when the garbage collector last ran. */
function memoryRow(readings: number[]): BenchmarkRow {
  const mean = (part: number[]) => part.reduce((sum, bytes) => sum + bytes, 0) / part.length;
  const tenth = Math.max(1, Math.floor(readings.length / 10));
  const [first, last] = [mean(readings.slice(0, tenth)), mean(readings.slice(-tenth))];
  const growth = last / first - 1;
  return {
    label: 'memory of the web process',
    figure: `${megabytes(first)} → ${megabytes(last)}`,
    details: `${(growth * 100).toFixed(1)} %, at most ${megabytes(Math.max(...readings))}`,
    goal: `growth ≤ ${GOAL.growth * 100} %`,
    met: growth <= GOAL.growth,
  };
}
