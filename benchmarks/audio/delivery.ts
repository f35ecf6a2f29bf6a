// Part of `npm run bench:audio`: range requests to an hour of audio, as a plain file and as a rendition, and to nginx.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { compareLoads, type Load, type Target } from '../load';
import { describeMachine, HAS_NGINX, HAS_WRK } from '../machine';
import { startNginx, startScript } from '../servers';
import { type BenchmarkRow, formatTable, median, medianBounds, perSecond } from '../table';
import { clipFile, FOLDER, hourFile } from './hour';
import { measurePairs, type Pair } from './pairs';

const ROOT = join(FOLDER, 'store');
const GOAL = 0.95;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const PAIRS = Number(process.env.BENCH_PAIRS ?? 300);
/** `batch` is a number of requests that takes some tens of milliseconds. */
const SIZES = [
  { bytes: 1_048_576, connections: 16, batch: 60 },
  { bytes: 65_536, connections: 32, batch: 300 },
  { bytes: 2, connections: 32, batch: 300 },
];

type Endpoint = Pick<Target, 'url' | 'pid'>;
type Endpoints = { plain: Endpoint; rendition: Endpoint; nginx: Endpoint | null; fileBytes: number };

async function measureSize(
  { plain, rendition, nginx, fileBytes }: Endpoints,
  size: (typeof SIZES)[number],
): Promise<BenchmarkRow[]> {
  const { bytes, connections, batch } = size;
  const requestOptions = HAS_WRK
    ? { script: ['benchmarks/ranges.lua', String(bytes), String(fileBytes)] }
    : { headers: { range: `bytes=1000000-${1_000_000 + bytes - 1}` } };
  const targets = [plain, rendition, ...(nginx ? [nginx] : [])].map((endpoint) => ({
    ...endpoint,
    connections,
    ...requestOptions,
  }));
  const loads = await compareLoads(targets, { seconds: 1, rounds: ROUNDS });
  const names = ['plain', 'rendition', 'nginx, 1 worker, sendfile'];
  const pairs = await measurePairs([rendition, plain], PAIRS, { bytes, requests: batch, connections, fileBytes });
  return [
    ...loads.map((load, i) => loadRow(names[i]!, load, bytes)),
    ratioRow(bytes, pairs, 'clock'),
    ratioRow(bytes, pairs, 'processor'),
  ];
}

function loadRow(name: string, { rounds, failed }: Load, bytes: number): BenchmarkRow {
  const rate = median(rounds.map((round) => round.perSecond));
  const cpuMs = median(rounds.map((round) => round.cpuMs));
  const cpu = bytes > 1000 ? `${((cpuMs * 1e6) / bytes).toFixed(2)} s` : `${(cpuMs * 1000).toFixed(0)} µs per request`;
  const throughput = `${((rate * bytes) / 1e6).toFixed(0)} MB/s`;
  return {
    label: `${formatSize(bytes)}, ${name}`,
    figure: perSecond(rate),
    details: `${throughput}, CPU time ${bytes > 1000 ? `per GB ${cpu}` : cpu}, ${failed} failed`,
  };
}

/** Met if the whole interval is above the goal, missed if the whole interval is below it, otherwise undecided. */
function ratioRow(bytes: number, pairs: Pair[], by: keyof Pair): BenchmarkRow {
  const ratios = pairs.map((pair) => pair[by]);
  const [low, high] = medianBounds(ratios);
  const met = low >= GOAL ? true : high < GOAL ? false : undefined;
  return {
    label: `${formatSize(bytes)}, rendition : plain by the ${by}`,
    figure: median(ratios).toFixed(3),
    details: `${low.toFixed(3)}–${high.toFixed(3)} at 95 %, ${pairs.length} pairs${met === undefined ? ', undecided' : ''}`,
    goal: `≥ ${GOAL}`,
    met,
  };
}

const formatSize = (bytes: number) => (bytes >= 1024 ? `${bytes / 1024} KiB` : `${bytes} bytes`);

async function main(): Promise<void> {
  await Promise.all([hourFile('cbr'), clipFile(30)]);
  const server = await startScript('benchmarks/audio/delivery-server.ts', [ROOT]);
  const nginx = HAS_NGINX ? await startNginx(join(ROOT, 'audio/plain.mp3')) : null;
  const at = (id: number) => ({ url: `${server.url}/audio/${id}/x.mp3`, pid: server.pid });
  const head = await fetch(at(1).url, { method: 'HEAD' });
  const fileBytes = Number(head.headers.get('content-length'));
  const endpoints = { plain: at(1), rendition: at(2), nginx, fileBytes };
  console.log(describeMachine());
  for (const size of SIZES) console.log(`\n${formatTable(await measureSize(endpoints, size))}`);
  await Promise.all([server.stop(), nginx?.stop()]);
  await rm(ROOT, { recursive: true, force: true });
}

await main();
