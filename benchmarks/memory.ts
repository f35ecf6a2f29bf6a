import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { load, type Target } from './load';
import { prepareBenchmark, withAudio } from './prepare-benchmark';
import { startApp, startBare } from './servers';
import { megabytes, type Row } from './table';

const GOAL = { idle: 150_000_000, loaded: 300_000_000 };
const SETTLED_MS = 5000;

/** Resident memory of the web process: after its first page and some rest, and at its highest under all kinds of load. */
export async function run(): Promise<Row[]> {
  const prepared = await prepareBenchmark();
  const audio = await withAudio(prepared);
  const app = await startApp(prepared);
  const bare = await startBare('hello');
  await fetch(`${app.url}/@lucia/p/corto`);
  await sleep(SETTLED_MS);
  const idle = await resident(app.pid, 'VmRSS');
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
  for (const target of mixed) await load(target, 4);
  await Promise.all(mixed.map((target) => load(target, 6)));
  const highest = await resident(app.pid, 'VmHWM');
  const least = await resident(bare.pid, 'VmRSS');
  await Promise.all([app.stop(), bare.stop()]);
  await prepared.close();
  return [
    { what: "bare node:http, 'hello'", figure: megabytes(least) },
    {
      what: 'idle, after its first page',
      figure: megabytes(idle),
      goal: `≤ ${megabytes(GOAL.idle)}`,
      met: idle <= GOAL.idle,
    },
    {
      what: 'highest under load',
      figure: megabytes(highest),
      beside: 'cached and rendered pages, feed, audio and REST, one by one and together',
      goal: `≤ ${megabytes(GOAL.loaded)}`,
      met: highest <= GOAL.loaded,
    },
  ];
}

/** @param figure `VmRSS`: now; `VmHWM`: at its highest. taskset becomes the process that it starts, so the id is node's. */
async function resident(pid: number, figure: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${figure}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
}
