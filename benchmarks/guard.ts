import { readFileSync, writeFileSync } from 'node:fs';
import { writeFeed } from '~/server/feed/writer/write-feed';
import { startToFirstPage } from './boot';
import { startDownloads } from './downloads';
import { timeFirstReads } from './feeds';
import {
  compareFigures,
  figuresToKeep,
  type GuardFigure,
  type GuardRow,
  isWorse,
  type KeptFigures,
} from './guard-rules';
import { compareLoads, type Load, medianCpuRatio, type Target } from './load';
import { longFeed } from './long-feed';
import { cpuSeconds, describeMachine, HAS_WRK, isQuiet, residentBytes } from './machine';
import { idleBytes } from './memory';
import { type PreparedBenchmark, postgresPid, prepareBenchmark } from './prepare-benchmark';
import { listenTo } from './private-feeds';
import { creatorHeaders, publicPages } from './public-pages';
import { type Server, startBare } from './servers';
import { type BenchmarkRow, median, megabytes } from './table';

const FILE = new URL('guard-figures.json', import.meta.url);
const STARTS = 4;
/** Short rounds, so that all targets fit into some minutes. */
const ROUNDS = { seconds: 1, rounds: 7 };
const LISTENERS = 2000;

/** What a row is compared with, in the same run. */
type Unit = 'hello' | 'the same bytes' | 'fixed work';
type Measured = GuardFigure & { details: string };
type Request = Target & { label: string; unit: Unit };

/** Larger than the differences between runs of one build (docs/benchmarks.md). */
const TOLERANCE = { request: 0.1, download: 0.15, start: 0.15, memory: 0.08, reading: 0.1 };

/**
 * What users feel, in five minutes: CPU time, of Postgres too, as a ratio to a bare server or to a fixed piece of work
 * in the same run, compared with the kept ratios. `--keep` keeps those of this run.
 */
export async function run(): Promise<BenchmarkRow[]> {
  const wasQuiet = isQuiet();
  const figures = await measureAll();
  const kept: KeptFigures = JSON.parse(readFileSync(FILE, 'utf8'));
  if (process.argv.includes('--keep')) keep(figures, wasQuiet);
  console.log(`Compared with figures of ${kept.at}${kept.isQuiet ? '' : ', from a busy machine'}; ${kept.machine}`);
  const details = new Map(figures.map(({ label, details, tolerance }) => [label, { details, tolerance }]));
  return compareFigures(figures, kept.ratios).map((row) => toRow(row, details.get(row.label)));
}

function keep(figures: Measured[], wasQuiet: boolean): void {
  const at = new Date().toISOString().slice(0, 10);
  const kept: KeptFigures = { at, machine: describeMachine(), isQuiet: wasQuiet, ratios: figuresToKeep(figures) };
  writeFileSync(FILE, `${JSON.stringify(kept, null, 2)}\n`);
}

function toRow(row: GuardRow, measured?: { details: string; tolerance: number }): BenchmarkRow {
  const { label, kept, now, change, outcome } = row;
  const show = (ratio: number | null) => (ratio === null ? '–' : Number(ratio.toPrecision(3)).toLocaleString('en'));
  const percent = change === null ? '' : `${change < 0 ? '−' : '+'}${Math.abs(change * 100).toFixed(0)} %`;
  return {
    label,
    figure: `kept ${show(kept)}, now ${show(now)}`,
    details: [percent, measured?.details].filter(Boolean).join('; '),
    goal: measured ? `≤ +${Math.round(measured.tolerance * 100)} %` : '',
    outcome,
    regressed: isWorse(row),
  };
}

async function measureAll(): Promise<Measured[]> {
  const prepared = await prepareBenchmark();
  const hello = await startBare('hello');
  const { app, startMs } = await startSeveralTimes(prepared);
  const memory = await idleBytes(app);
  const bareMemory = residentBytes(hello.pid, 'VmRSS');
  const { server: downloads } = await startDownloads(prepared);
  const worker = await startBare('hello', { works: true });
  const { requests, sameBytes } = await listRequests(prepared, app, downloads);
  const bare = { hello, 'the same bytes': sameBytes, 'fixed work': worker };
  const units = Object.entries(bare).map(([unit, { url, pid }]) => ({ unit: unit as Unit, url, pid }));
  const loads = await compareLoads([...requests, ...units], ROUNDS);
  const readMs = await measureReading();
  for (const server of [app, downloads, hello, worker, sameBytes]) await server.stop();
  await prepared.close();
  const unitLoads = new Map(units.map(({ unit }, i) => [unit, loads[requests.length + i]!]));
  const { cpuMs: workMs } = unitLoads.get('fixed work')!;
  return [
    ...requests.map((request, i) => requestFigure(request, loads[i]!, unitLoads.get(request.unit)!)),
    workFigure('first read of a feed of 1,000 episodes', readMs, { workMs, tolerance: TOLERANCE.reading }),
    workFigure('cold start to the first page', startMs, { workMs, tolerance: TOLERANCE.start }),
    {
      ...{ label: 'memory when idle', ratio: memory / bareMemory, tolerance: TOLERANCE.memory },
      details: `× a bare server, ${megabytes(memory)}`,
    },
  ];
}

function workFigure(label: string, ms: number, { workMs, tolerance }: { workMs: number; tolerance: number }): Measured {
  return { label, ratio: ms / workMs, tolerance, details: `× fixed work, ${ms.toFixed(0)} ms CPU` };
}

function requestFigure({ label, unit }: Request, load: Load, bare: Load): Measured {
  const tolerance = label === DOWNLOAD ? TOLERANCE.download : TOLERANCE.request;
  const details = `× ${unit}, ${load.cpuMs.toPrecision(3)} ms CPU${load.failed > 0 ? `, ${load.failed} failed` : ''}`;
  return { label, ratio: medianCpuRatio(load, bare), tolerance, details, failed: load.failed };
}

/** CPU time of the process until its first page. The last process keeps running. */
async function startSeveralTimes(prepared: PreparedBenchmark): Promise<{ app: Server; startMs: number }> {
  const times: number[] = [];
  for (;;) {
    const { app } = await startToFirstPage(prepared);
    times.push(cpuSeconds(app.pid) * 1000);
    // the first start compiles with cold file caches
    if (times.length > STARTS) return { app, startMs: median(times.slice(1)) };
    await app.stop();
  }
}

const DOWNLOAD = 'download, acknowledged after its commit';

/** The requests, and a bare server with as many bytes as the feed. Without wrk, those that need a script are left out. */
async function listRequests(prepared: PreparedBenchmark, app: Server, downloads: Server) {
  const postgres = await postgresPid(prepared);
  const visitor = creatorHeaders(app);
  const feed = `${app.url}/p/largo/feed.xml`;
  const found = await fetch(`${app.url}/@lucia/p/largo/feed.xml`, { headers: { 'accept-encoding': 'gzip' } });
  const etag = found.headers.get('etag') ?? '';
  const sameBytes = await startBare(Buffer.alloc(Number(found.headers.get('content-length')), 'x'));
  const of = (label: string, unit: Unit, target: Partial<Target> & { url: string }): Request => ({
    ...{ label, unit, pid: app.pid },
    ...target,
  });
  const pages = await publicPages(prepared);
  const [product] = pages;
  const api = `${app.url}/api/podcasts/${prepared.short.id}/episodes_list/`;
  const token = { authorization: `Token ${prepared.token}` };
  const requests = [
    of('cached product page', 'hello', { url: app.url + product!.path, headers: visitor }),
    ...pages.map(({ name, path }) =>
      of(`${name}, rendered`, 'fixed work', {
        ...{ url: `${app.url}${path}?fresh=1`, headers: creatorHeaders(app, ''), postgres },
      }),
    ),
    of('feed of 1,000 episodes, gzip', 'the same bytes', {
      ...{ url: feed, headers: { host: visitor.host, 'accept-encoding': 'gzip' } },
    }),
    of('the same feed, 304', 'hello', {
      ...{ url: feed, headers: { host: visitor.host, 'accept-encoding': 'gzip', 'if-none-match': etag } },
    }),
    of(DOWNLOAD, 'hello', { url: downloads.url, pid: downloads.pid, postgres, connections: 512 }),
    of('REST list of 20 episodes, kept for a second', 'hello', { url: api, headers: token, postgres, connections: 16 }),
    of('page of the studio: the episodes of a show', 'fixed work', {
      url: `${app.url}/podcasts/${prepared.short.id}/episodes`,
      headers: { host: app.host, cookie: `token=${prepared.token}` },
      ...{ postgres, connections: 8 },
    }),
  ];
  const scripted = HAS_WRK ? await listScripted(prepared, { app, api, token, postgres }) : [];
  return { requests: [...requests, ...scripted], sameBytes };
}

type Scripted = { app: Server; api: string; token: Record<string, string>; postgres: number };

async function listScripted(prepared: PreparedBenchmark, { app, api, token, postgres }: Scripted): Promise<Request[]> {
  const polled = await listenTo(prepared, prepared.long.id, LISTENERS);
  return [
    {
      ...{ label: 'private feed, 304', unit: 'hello', url: app.url, pid: app.pid, postgres, connections: 128 },
      headers: { 'if-none-match': '*' },
      script: ['benchmarks/private-feeds.lua', polled.name],
    },
    {
      ...{ label: 'REST list of 20 episodes, computed', unit: 'fixed work', url: api, headers: token },
      ...{ pid: app.pid, postgres, connections: 16, script: ['benchmarks/new-urls.lua'] },
    },
  ];
}

/** As an import does it: in a process that has read nothing yet. */
async function measureReading(): Promise<number> {
  const [ours] = await timeFirstReads(writeFeed(longFeed(1000)), ['ours']);
  return median(ours!.map(({ cpuMs }) => cpuMs));
}
