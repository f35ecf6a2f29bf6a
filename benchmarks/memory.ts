import { setTimeout as sleep } from 'node:timers/promises';
import { measureLoad, type Target } from './load';
import { residentBytes } from './machine';
import { addAudio, prepareBenchmark } from './prepare-benchmark';
import { type Server, startApp, startBare } from './servers';
import { type BenchmarkRow, judge, megabytes } from './table';

const GOAL = { idle: 120_000_000, loaded: 300_000_000 };
/** A quiet process has collected the garbage of its start by then (server/watching/heap-growth.ts). */
const IDLE_MS = 20_000;

/** Resident memory of the web process: idle after its first page, and the peak under mixed load. */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
  const audio = await addAudio(prepared);
  const app = await startApp(prepared);
  const bare = await startBare('hello');
  const idle = await idleBytes(app);
  const host = `staging-lucia.${app.host}`;
  const { pid } = app;
  const mixed: Target[] = [
    { pid, url: `${app.url}/p/corto`, headers: { host } },
    { pid, url: `${app.url}/p/corto?fresh=1`, headers: { host } },
    { pid, url: `${app.url}/p/largo/feed.xml`, headers: { host, 'accept-encoding': 'gzip' } },
    { pid, url: `${app.url}${audio.path}`, headers: { 'user-agent': 'AntennaPod/3.1.2' }, connections: 64 },
    {
      pid,
      url: `${app.url}/api/podcasts/${prepared.long.id}/episodes_list/`,
      headers: { authorization: `Token ${prepared.token}` },
    },
  ];
  for (const target of mixed) await measureLoad(target, 4);
  await Promise.all(mixed.map((target) => measureLoad(target, 6)));
  const peak = residentBytes(app.pid, 'VmHWM');
  const bareIdle = residentBytes(bare.pid, 'VmRSS');
  await Promise.all([app.stop(), bare.stop()]);
  await prepared.close();
  return [
    { label: "bare node:http, 'hello'", figure: megabytes(bareIdle) },
    {
      label: 'idle, after its first page',
      figure: megabytes(idle),
      goal: `≤ ${megabytes(GOAL.idle)}`,
      ...judge(GOAL.idle / idle, { holds: true }),
    },
    {
      label: 'peak under load',
      figure: megabytes(peak),
      details: 'cached and rendered pages, feed, audio and REST, in sequence and together',
      goal: `≤ ${megabytes(GOAL.loaded)}`,
      ...judge(GOAL.loaded / peak, { holds: true }),
    },
  ];
}

/** Resident memory some time after the first page. */
export async function idleBytes(app: Server): Promise<number> {
  await fetch(`${app.url}/@lucia/p/corto`);
  await sleep(IDLE_MS);
  return residentBytes(app.pid, 'VmRSS');
}
