import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { feedLinks } from '~/db/schema/feeds';
import { privateFeedPath } from '~/server/base/public-paths';
import { hashFeedToken } from '~/server/domain/feeds/link-states';
import { measureLoad } from './load';
import { residentBytes } from './machine';
import { type PreparedBenchmark, prepareBenchmark } from './prepare-benchmark';
import { startApp } from './servers';
import { type BenchmarkRow, formatRate, judge, kilobytes, megabytes } from './table';

const LISTENERS = 10_000;
const INSERTED_AT_ONCE = 1000;
const GOAL = { unchanged: 30_000, rendered: 150, queries: 1 };
const CONNECTIONS = 128;
const SECONDS = 5;

/** Polls the private feeds of one show, each of another listener: unchanged ones, and whole ones. */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark({ shows: [100] });
  const paths = [await listenTo(prepared, prepared.shows[0]!.id), await listenTo(prepared, prepared.long.id)];
  const app = await startApp(prepared);
  const idle = residentBytes(app.pid, 'VmRSS');
  const poll = async (file: { name: string; first: string }, headers: Record<string, string> = {}) => {
    const before = await countQueries(prepared);
    const script = ['benchmarks/private-feeds.lua', file.name];
    const target = { url: app.url, pid: app.pid, headers, connections: CONNECTIONS, script };
    const result = await measureLoad(target, SECONDS);
    const queries = ((await countQueries(prepared)) - before) / (result.perSecond * SECONDS);
    const body = await fetch(app.url + file.first, { headers: { 'accept-encoding': 'identity', ...headers } });
    return { ...result, queries, size: (await body.arrayBuffer()).byteLength };
  };
  const [hundred, thousand] = paths as [Polled, Polled];
  await poll(hundred, { 'if-none-match': '*' });
  const unchanged = await poll(hundred, { 'if-none-match': '*' });
  const rendered = await poll(hundred);
  const gzip = await poll(hundred, { 'accept-encoding': 'gzip' });
  const long = await poll(thousand, { 'accept-encoding': 'gzip' });
  const peak = residentBytes(app.pid, 'VmHWM');
  await app.stop();
  await prepared.close();
  const size = (result: { size: number }) => kilobytes(result.size);
  return [
    row('unchanged (304)', unchanged, GOAL.unchanged),
    row(`100 episodes (${size(rendered)})`, rendered, GOAL.rendered),
    row('100 episodes, gzip', gzip, GOAL.rendered),
    row('1,000 episodes, gzip', long, GOAL.rendered),
    { label: 'memory', figure: megabytes(peak), details: `at most; ${megabytes(idle)} before` },
  ];
}

type Polled = { name: string; first: string };

/** Gives each of the listeners a grant and an address. @returns the file with the paths */
export async function listenTo(
  { db, dataDir }: PreparedBenchmark,
  productId: number,
  listeners = LISTENERS,
): Promise<Polled> {
  const at = new Date();
  const paths: string[] = [];
  for (let start = 0; start < listeners; start += INSERTED_AT_ONCE) {
    const people = Array.from({ length: INSERTED_AT_ONCE }, (_, i) => ({
      ...{ email: `p${productId}-${start + i}@mail.example`, name: `Oyente ${start + i}` },
      ...{ currency: 'eur' as const, termsAcceptedAt: at },
    }));
    const inserted = await db.insert(users).values(people).returning({ userId: users.id });
    const tokens = inserted.map(() => randomBytes(20).toString('base64url'));
    const own = inserted.map(({ userId }) => ({ userId, productId, createdAt: at }));
    await db.insert(grants).values(own.map((row) => ({ ...row, source: 'gift' as const, startsAt: at })));
    await db
      .insert(feedLinks)
      .values(own.map((row, i) => ({ ...row, app: 'other', tokenHash: hashFeedToken(tokens[i]!), sealedToken: '' })));
    paths.push(...tokens.map(privateFeedPath));
  }
  await db.execute(sql`analyze`);
  const name = `${dataDir}/feeds-${productId}`;
  await writeFile(name, paths.join('\n'));
  return { name, first: paths[0]! };
}

/** Counts the queries of all connections: each query outside of a transaction counts as a transaction of its own. */
async function countQueries({ db }: PreparedBenchmark): Promise<number> {
  // connections report their counts at most once a second
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const [row] = await db.execute<{ count: number }>(
    sql`select xact_commit::float8 as count from pg_stat_database where datname = current_database()`,
  );
  return row!.count;
}

type PollResult = { perSecond: number; cpuMs: number; p99Ms: number; failed: number; queries: number };

function row(label: string, result: PollResult, goal: number): BenchmarkRow {
  const { queries, failed, p99Ms, perSecond } = result;
  return {
    label,
    figure: formatRate(result),
    details: `${queries.toFixed(3)} queries per request, p99 ${p99Ms.toFixed(0)} ms, ${failed} failed`,
    goal: `≥ ${goal.toLocaleString('en')}/s, ≤ ${GOAL.queries} query`,
    ...judge(perSecond / goal, { failed, holds: queries <= GOAL.queries }),
  };
}
