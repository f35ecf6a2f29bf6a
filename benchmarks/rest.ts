import { eq } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { apiKeys } from '~/db/schema/developers';
import { products } from '~/db/schema/products';
import type { Scope } from '~/db/values/api-scopes';
import { createToken, KEY_PREFIX, lastFourOf } from '~/server/auth/api-tokens';
import { hashToken } from '~/server/auth/token-hash';
import { compareLoads, type Load, medianRatio } from './load';
import { HAS_WRK } from './machine';
import { type PreparedBenchmark, prepareBenchmark } from './prepare-benchmark';
import { startApp, startBare } from './servers';
import { type BenchmarkRow, formatRate, judge, perSecond } from './table';

const GOALS = { kept: 1500, computed: 1000, v1: 0.8 };

/**
 * A page of 20 episodes from the legacy REST API, requested with a token: with the same URL each time, whose answer is
 * kept for a second, and with another parameter each time, so that each answer is computed. The same page from API v1.
 */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
  const app = await startApp(prepared, { API_REQUESTS_PER_MINUTE: '10000000' });
  const url = `${app.url}/api/podcasts/${prepared.short.id}/episodes_list/`;
  const headers = { authorization: `Token ${prepared.token}` };
  const response = await fetch(url, { headers });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${body.slice(0, 200)}`);
  const bare = await startBare(body);
  const target = { url, headers, connections: 16, pid: app.pid };
  const v1 = {
    url: `${app.url}/v1/shows/${prepared.short.id}/episodes`,
    headers: { authorization: `Bearer ${await insertKey(prepared)}` },
  };
  const answer = await fetch(v1.url, v1);
  if (answer.status !== 200) throw new Error(`${v1.url} answered ${answer.status}: ${await answer.text()}`);
  const [kept, computed, plain, keptV1] = await compareLoads([
    target,
    // autocannon sends only one URL
    { ...target, ...(HAS_WRK && { script: ['benchmarks/new-urls.lua'] }) },
    { url: bare.url, connections: 16, pid: bare.pid },
    { ...target, ...v1 },
  ]);
  await Promise.all([app.stop(), bare.stop()]);
  await prepared.close();
  const { count } = JSON.parse(body);
  const ratio = medianRatio(keptV1, kept);
  return [
    { label: 'bare node:http, the same bytes', figure: formatRate(plain) },
    rowOf(`REST list of ${count} episodes, with a token, one URL: answers kept for a second`, kept, {
      plain,
      goal: GOALS.kept,
    }),
    ...(HAS_WRK ? [rowOf('the same, each URL once: answers computed', computed, { plain, goal: GOALS.computed })] : []),
    {
      label: `API v1 list of ${count} episodes, with a key, one URL`,
      figure: formatRate(keptV1),
      details: `${ratio.toFixed(2)} of REST, p99 ${keptV1.p99Ms.toFixed(0)} ms, ${keptV1.failed} failed`,
      goal: `≥ ${GOALS.v1} of REST`,
      ...judge(ratio / GOALS.v1, { failed: keptV1.failed, holds: true }),
    },
  ];
}

/** A key of the creator whose show is listed. */
async function insertKey({ db, short }: Pick<PreparedBenchmark, 'db' | 'short'>): Promise<string> {
  const key = createToken(KEY_PREFIX);
  const [owner] = await db
    .select({ creatorId: creators.id, userId: creators.userId })
    .from(products)
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .where(eq(products.id, short.id));
  const secret = { tokenHash: hashToken(key), lastFour: lastFourOf(key) };
  const scopes: Scope[] = ['episodes:read'];
  await db.insert(apiKeys).values({ ...owner!, ...secret, scopes, name: 'Benchmark', createdAt: new Date() });
  return key;
}

function rowOf(label: string, load: Load, { plain, goal }: { plain: Load; goal: number }): BenchmarkRow {
  const { perSecond: best, p99Ms, failed } = load;
  return {
    label,
    figure: formatRate(load),
    details: `${medianRatio(load, plain).toFixed(2)} of bare, p99 ${p99Ms.toFixed(0)} ms, ${failed} failed`,
    goal: `≥ ${perSecond(goal)}`,
    ...judge(best / goal, { failed, holds: true }),
  };
}
