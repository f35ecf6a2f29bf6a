// `node --import tsx benchmarks/audio/delivery.ts`: ranges of an hour, plain and stitched, against nginx where there is one.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { compared, type Load, type Target } from '../load';
import { HAS_NGINX, HAS_WRK, machine } from '../machine';
import { startNginx, startScript } from '../servers';
import { median, medianBounds, perSecond, printed, type Row } from '../table';
import { clip, FOLDER, hour } from './hour';
import { type Pair, paired } from './paired';

const ROOT = join(FOLDER, 'store');
const GOAL = 0.95;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const PAIRS = Number(process.env.BENCH_PAIRS ?? 300);
/** `batch`: requests that take some tens of milliseconds together. */
const SIZES = [
  { bytes: 1_048_576, connections: 16, batch: 60 },
  { bytes: 65_536, connections: 32, batch: 300 },
  { bytes: 2, connections: 32, batch: 300 },
];

type Place = Pick<Target, 'url' | 'pid'>;
type Places = { plain: Place; stitched: Place; nginx: Place | null; fileBytes: number };

async function measured({ plain, stitched, nginx, fileBytes }: Places, size: (typeof SIZES)[number]): Promise<Row[]> {
  const { bytes, connections, batch } = size;
  const asked = HAS_WRK
    ? { script: ['benchmarks/ranges.lua', String(bytes), String(fileBytes)] }
    : { headers: { range: `bytes=1000000-${1_000_000 + bytes - 1}` } };
  const targets = [plain, stitched, ...(nginx ? [nginx] : [])].map((place) => ({ ...place, connections, ...asked }));
  const loads = await compared(targets, { seconds: 1, rounds: ROUNDS });
  const names = ['plain', 'stitched', 'nginx, 1 worker, sendfile'];
  const pairs = await paired([stitched, plain], PAIRS, { bytes, requests: batch, connections, fileBytes });
  return [
    ...loads.map((load, i) => figures(names[i]!, load, bytes)),
    ratio(bytes, pairs, 'clock'),
    ratio(bytes, pairs, 'processor'),
  ];
}

function figures(who: string, { rounds, failed }: Load, bytes: number): Row {
  const rate = median(rounds.map((round) => round.perSecond));
  const perCore = median(rounds.map((round) => round.perCore));
  const cpu = bytes > 1000 ? `${(1e9 / bytes / perCore).toFixed(2)} s` : `${(1e6 / perCore).toFixed(0)} µs a request`;
  const throughput = `${((rate * bytes) / 1e6).toFixed(0)} MB/s`;
  return {
    what: `${sized(bytes)}, ${who}`,
    figure: perSecond(rate),
    beside: `${throughput}, processor ${bytes > 1000 ? `per GB ${cpu}` : cpu}, ${failed} failed`,
  };
}

/** Met when the whole interval is above the goal, missed when all of it is below; else these pairs can't tell. */
function ratio(bytes: number, pairs: Pair[], by: keyof Pair): Row {
  const ratios = pairs.map((pair) => pair[by]);
  const [low, high] = medianBounds(ratios);
  const met = low >= GOAL ? true : high < GOAL ? false : undefined;
  return {
    what: `${sized(bytes)}, stitched : plain by the ${by}`,
    figure: median(ratios).toFixed(3),
    beside: `${low.toFixed(3)}–${high.toFixed(3)} at 95 %, ${pairs.length} pairs${met === undefined ? ', undecided' : ''}`,
    goal: `≥ ${GOAL}`,
    met,
  };
}

const sized = (bytes: number) => (bytes >= 1024 ? `${bytes / 1024} KiB` : `${bytes} bytes`);

async function main(): Promise<void> {
  await Promise.all([hour('cbr'), clip(30)]);
  const server = await startScript('benchmarks/audio/delivery-server.ts', [ROOT]);
  const nginx = HAS_NGINX ? await startNginx(join(ROOT, 'audio/plain.mp3')) : null;
  const at = (id: number) => ({ url: `${server.url}/audio/${id}/x.mp3`, pid: server.pid });
  const head = await fetch(at(1).url, { method: 'HEAD' });
  const fileBytes = Number(head.headers.get('content-length'));
  const places = { plain: at(1), stitched: at(2), nginx, fileBytes };
  console.log(machine());
  for (const size of SIZES) console.log(`\n${printed(await measured(places, size))}`);
  await Promise.all([server.stop(), nginx?.stop()]);
  await rm(ROOT, { recursive: true, force: true });
}

await main();
