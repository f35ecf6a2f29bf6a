import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { type InsertionData, openInsertionData } from './insertions-data';
import type { PreparedBenchmark } from './prepare-benchmark';
import { type Server, startApp } from './servers';
import { type BenchmarkRow, judge, median } from './table';

const GOAL_SECONDS = { one: 2, all: 60 };
const EPISODES = Number(process.env.EPISODES ?? 500);
const SAVES = 5;
const TIMEOUT_MS = 600_000;

/** From saving a campaign with a new clip until listeners get its bytes, with a worker in the app's process. */
export async function firstBytes(prepared: PreparedBenchmark): Promise<BenchmarkRow[]> {
  const data = await openInsertionData(prepared);
  const app = await startApp(prepared, { WORKER: 'inline' });
  const ones: number[] = [];
  const foreseen: number[] = [];
  for (let save = 0; save < SAVES; save += 1) {
    ones.push((await measure(data, app, { count: 1, makeClip: data.freshClip })).heard);
    foreseen.push((await measure(data, app, { count: 1, makeClip: data.foreseenClip })).heard);
  }
  const all = await measure(data, app, { count: EPISODES, makeClip: data.freshClip });
  await app.stop();
  await data.close();
  return [
    rowOfOne('with a clip that was added before', foreseen),
    rowOfOne('with the conversion of its clip', ones),
    {
      label: `until all of ${EPISODES} episodes of an hour have it`,
      figure: `${all.heard.toFixed(1)} s`,
      details: `${all.stated.toFixed(1)} s until feeds and pages state all lengths`,
      goal: `≤ ${GOAL_SECONDS.all} s`,
      ...judge(GOAL_SECONDS.all / all.heard, { holds: true }),
    },
  ];
}

function rowOfOne(how: string, seconds: number[]): BenchmarkRow {
  const one = median(seconds);
  return {
    label: `from saving a campaign ${how} to its first byte, one episode of an hour`,
    figure: `${one.toFixed(2)} s`,
    details: `${Math.min(...seconds).toFixed(2)}–${Math.max(...seconds).toFixed(2)} s in ${SAVES} saves`,
    goal: `≤ ${GOAL_SECONDS.one} s`,
    ...judge(GOAL_SECONDS.one / one, { holds: true }),
  };
}

type Saved = { count: number; makeClip: InsertionData['freshClip'] | InsertionData['foreseenClip'] };

/** Seconds until the first byte of all episodes is a clip's, and until all lengths are stated. */
async function measure(data: InsertionData, app: Server, { count, makeClip }: Saved) {
  const { show, episodes } = await data.measuredShow(count);
  const clip = await makeClip();
  for (const { id } of episodes.slice(0, 1)) await (await listen(app, id)).body?.cancel();
  const startedAt = performance.now();
  const since = () => (performance.now() - startedAt) / 1000;
  await data.save(show, clip);
  const [heard, stated] = await Promise.all([
    waitUntilHeard(app, episodes, since),
    waitUntil(async () => (await statedLengths(data, show.id)) === count, since),
  ]);
  return { heard, stated };
}

let listeners = 0;
/** Each request is another listener's. */
function listen(app: Server, id: number): Promise<Response> {
  listeners += 1;
  const headers = { 'user-agent': `AntennaPod/3.1.${listeners}`, range: 'bytes=0-99999' };
  return fetch(`${app.url}/audio/${id}/hora.mp3`, { headers });
}

async function waitUntilHeard(app: Server, episodes: { id: number; audioBytes: number | null }[], since: () => number) {
  for (const { id, audioBytes } of episodes)
    await waitUntil(async () => {
      const answer = await listen(app, id);
      await answer.arrayBuffer();
      return Number(answer.headers.get('content-range')?.split('/')[1]) > audioBytes!;
    }, since);
  return since();
}

async function statedLengths({ runtime }: InsertionData, productId: number): Promise<number> {
  const [row] = await runtime.db.execute<{ count: number }>(sql`
    select count(distinct s.episode_id)::int as count from served_renditions s join episodes e on e.id = s.episode_id
    where e.product_id = ${productId}`);
  return row!.count;
}

/** Not more often than every 20 ms, so that waiting costs the server little. */
async function waitUntil(isDone: () => Promise<boolean>, since: () => number): Promise<number> {
  while (!(await isDone())) {
    if (since() * 1000 > TIMEOUT_MS) throw new Error('the campaign does not play');
    await sleep(20);
  }
  return since();
}
