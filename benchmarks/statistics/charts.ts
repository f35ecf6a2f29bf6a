import type { Scope, StatisticsPort } from '~/server/adapters/statistics/port';
import { dayAfter } from '~/server/base/time';
import { statisticsOf } from '~/server/domain/statistics/period-statistics';
import { postgresStatistics } from '~/server/domain/statistics/postgres-statistics';
import { bucketsOf, type Period } from '~/server/domain/statistics/rules';
import type { Ctx } from '~/server/runtime/ctx';
import { acting } from '~/tests/support/acting';
import { openTestRuntime } from '~/tests/support/open-test-runtime';
import { cpuSeconds } from '../machine';
import { type BenchmarkRow, judge, percentile } from '../table';
import { type History, LAST_DAY, SHOWS } from './history';

const GOAL = { ms: 5, growth: 1.3 };
const REQUESTS = { warmUp: 10, measured: 100 };
/** The last days of the periods, so that not all requests read the same rows. */
const ENDS = 30;
/** Shows of all sizes that are read for the first time. */
const COLD = 20;
const ZONE = 'Europe/Madrid';

export type OpenHistory = { history: History; port: StatisticsPort; ctx: Ctx; close(): Promise<void> };
type Request = { scope: Scope; to: string };
type Chart = (open: OpenHistory, request: Request) => Promise<unknown>;
/** `cpuMs`: of Postgres for each request, which other load disturbs least. */
type Times = { p50: number; p99: number; cpuMs: number };

const period = (to: string, days: number, granularity: Period['granularity'] = 'day'): Period => {
  return { from: dayAfter(to, 1 - days), to, zone: ZONE, granularity };
};
const evolution = (days: number, granularity: Period['granularity']): Chart => {
  return ({ port }, { scope, to }) =>
    port.sumBuckets(scope, { buckets: bucketsOf(period(to, days, granularity)), filters: {} });
};
const dimensions = (days: number, filters = {}): Chart => {
  return ({ port }, { scope, to }) => port.sumDimensions(scope, { ...period(to, days), filters });
};
const week: Chart = ({ port }, { scope, to }) =>
  port.sumWeekdays(
    scope,
    Array.from({ length: 92 }, (_, i) => ({ day: dayAfter(to, i - 91), offset: i < 60 ? 8 : 4 })),
  );
const page: Chart = ({ ctx }, { scope, to }) => statisticsOf(ctx, scope, { period: period(to, 30), filters: {} });

/** Episodes are weekly and have their show's numbers in order. */
const EPISODES_PER_SHOW = 104;
const released = ({ productId = 0 }: Scope, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: productId * EPISODES_PER_SHOW - i,
    releasedAt: new Date(`${dayAfter(LAST_DAY, -7 * (i + 1))}T06:00:00Z`),
  }));

const OF_ALL: Record<string, Chart> = {
  'plays by day, 30 days': evolution(30, 'day'),
  'plays by week, a year': evolution(364, 'week'),
  'countries, apps and others, 30 days': dimensions(30),
  'countries, apps and others, a year': dimensions(364),
  'apps in a country, 30 days': dimensions(30, { country: 'ES' }),
  'hours of the week, 92 days': week,
};
const OF_SHOW: Record<string, Chart> = {
  ...OF_ALL,
  'starts of 50 episodes': ({ port }, { scope }) => port.sumStarts(released(scope, 50)),
  'first hours of 21 episodes': ({ port }, { scope }) => port.sumHours(released(scope, 21), { hours: 168 }),
  'an episode, 3 months': ({ port }, { scope, to }) =>
    port.listMonths(
      { creatorId: scope.creatorId, productId: scope.productId!, id: scope.productId! * EPISODES_PER_SHOW - 12 },
      { from: `${dayAfter(to, -60).slice(0, 7)}-01`, to },
    ),
};
const PAGE = 'the whole page, 30 days';

export async function openHistory(history: History): Promise<OpenHistory> {
  const { runtime, close, clock } = await openTestRuntime(history.databaseUrl, history.dataDir);
  clock.now = new Date(`${LAST_DAY}T23:00:00Z`);
  return { history, port: postgresStatistics(runtime.db), ctx: acting(runtime).visitorCtx(), close };
}

/** The queries of each chart in both histories in turn, so that other load affects both alike. */
export async function chartRows(histories: OpenHistory[]): Promise<BenchmarkRow[]> {
  const scopes = await scopesOf(histories.at(-1)!);
  const rows: BenchmarkRow[] = [];
  for (const [who, scope] of Object.entries(scopes)) {
    const charts = { ...(scope.productId ? OF_SHOW : OF_ALL), [PAGE]: page };
    for (const [name, chart] of Object.entries(charts)) {
      const times = await measureWarm(histories, chart, scope);
      rows.push(rowOf(`${who}: ${name}`, times, name === PAGE));
    }
  }
  return [...rows, ...(await coldRows(histories.at(-1)!))];
}

/** The charts of shows from another store, in the same periods. */
export async function storeRows(open: OpenHistory, port: StatisticsPort): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const [who, scope] of Object.entries(await scopesOf(open)))
    for (const [name, chart] of Object.entries(OF_ALL)) {
      const [times] = await measureWarm([{ ...open, port }], chart, scope);
      const figure = `p50 ${fine(times!.p50)}, p99 ${fine(times!.p99)}`;
      rows.push({
        ...{ label: `ClickHouse, ${who}: ${name}`, figure, goal: `p99 ≤ ${GOAL.ms} ms` },
        ...judge(GOAL.ms / times!.p99, { holds: false }),
      });
    }
  return rows;
}

async function scopesOf({ history: { sql } }: OpenHistory): Promise<Record<string, Scope>> {
  const rows = await sql<{ id: number; creatorId: number }[]>`
    select id::int, creator_id::int as "creatorId" from products where id in ${sql(Object.values(SHOWS))} order by id`;
  const creatorOf = (productId: number) => rows.find(({ id }) => id === productId)!.creatorId;
  const ofShows = Object.entries(SHOWS).map(([name, productId]) => [
    `${name} show`,
    { creatorId: creatorOf(productId), productId },
  ]);
  return { ...Object.fromEntries(ofShows), '50 shows together': { creatorId: creatorOf(SHOWS.largest) } };
}

async function measureWarm(histories: OpenHistory[], chart: Chart, scope: Scope): Promise<Times[]> {
  const times: number[][] = histories.map(() => []);
  const cpuBefore: number[] = [];
  for (let i = 0; i < REQUESTS.warmUp + REQUESTS.measured; i += 1) {
    if (i === REQUESTS.warmUp) for (const open of histories) cpuBefore.push(await cpuOf(open));
    for (const [at, open] of histories.entries()) {
      const ms = await timeOf(chart, open, { scope, to: dayAfter(LAST_DAY, -(i % ENDS)) });
      if (i >= REQUESTS.warmUp) times[at]!.push(ms);
    }
  }
  const cpuAfter = await Promise.all(histories.map(cpuOf));
  return times.map((ms, at) => ({
    p50: percentile(ms, 0.5),
    p99: percentile(ms, 0.99),
    cpuMs: ((cpuAfter[at]! - cpuBefore[at]!) * 1000) / REQUESTS.measured,
  }));
}

/** Seconds of all connections to the history. */
async function cpuOf({ history: { sql } }: OpenHistory): Promise<number> {
  const rows = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend' order by pid`;
  return rows.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
}

async function timeOf(chart: Chart, open: OpenHistory, request: Request): Promise<number> {
  const startedAt = performance.now();
  await chart(open, request);
  return performance.now() - startedAt;
}

/** Each chart after a restart of Postgres, for shows that nobody has read since. */
async function coldRows(open: OpenHistory): Promise<BenchmarkRow[]> {
  const { sql } = open.history;
  const shows = await sql<{ productId: number; creatorId: number }[]>`
    select id::int as "productId", creator_id::int as "creatorId" from products
    where id = 1 or id % ${1000 / COLD} = 1 order by id limit ${COLD}`;
  const rows: BenchmarkRow[] = [];
  for (const [name, chart] of Object.entries({ ...OF_SHOW, [PAGE]: page })) {
    await open.history.restart();
    // connections open again, and so does the catalog
    await sql`select 1`;
    await timeOf(chart, open, { scope: { creatorId: 0, productId: 1 }, to: LAST_DAY });
    const times: number[] = [];
    for (const scope of shows) times.push(await timeOf(chart, open, { scope, to: LAST_DAY }));
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
    rows.push({ label: `cold, ${COLD} shows: ${name}`, figure: `p50 ${fine(p50)}, p99 ${fine(p99)}` });
  }
  return rows;
}

function rowOf(label: string, times: Times[], isPage: boolean): BenchmarkRow {
  const [before, { p50, p99, cpuMs }] = [times[0]!, times.at(-1)!];
  const growth = p50 / before.p50;
  const row = {
    label,
    figure: `p50 ${fine(p50)}, p99 ${fine(p99)}, ${fine(cpuMs)} CPU`,
    details: `a tenth of the downloads: p50 ${fine(before.p50)}, p99 ${fine(before.p99)}, ${fine(before.cpuMs)} CPU; × ${growth.toFixed(2)}`,
  };
  if (isPage) return row;
  const score = Math.min(GOAL.ms / p99, GOAL.growth / growth);
  return { ...row, goal: `p99 ≤ ${GOAL.ms} ms, × ${GOAL.growth}`, ...judge(score, { holds: false }) };
}

const fine = (ms: number) => `${ms.toFixed(ms < 10 ? 2 : 1)} ms`;
