import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { measurePairs, type Pair } from './audio/pairs';
import { type InsertionData, openInsertionData } from './insertions-data';
import { residentBytes } from './machine';
import type { PreparedBenchmark } from './prepare-benchmark';
import { type Server, startApp } from './servers';
import { type BenchmarkRow, judge, kilobytes, median, medianBounds } from './table';

const GOAL = { throughput: 0.95, bytesPerConnection: 64 * 1024 };
const CAMPAIGNS = [1, 5, 20];
const MEBIBYTE = 1024 * 1024;
const PAIRS = Number(process.env.BENCH_PAIRS ?? 100);
const CONNECTIONS = 300;
const ROUNDS = 3;
/** A user agent that counts as a listener, so the measurement includes impressions. */
const PLAYER = 'AntennaPod/3.1.2';

type Episode = { id: number };

/** 1 MiB ranges of an hour with clips and of the plain hour, from one server, with downloads and impressions counted. */
export async function delivery(prepared: PreparedBenchmark): Promise<BenchmarkRow[]> {
  const data = await openInsertionData(prepared);
  const plain = await data.sponsored(0);
  const sponsored = [];
  for (const count of CAMPAIGNS) sponsored.push(await data.sponsored(count));
  const app = await startApp(prepared);
  const other = await endpointOf(app, plain);
  const rows: BenchmarkRow[] = [];
  for (const [i, episode] of sponsored.entries()) {
    const ours = await endpointOf(app, episode);
    const batch = { bytes: MEBIBYTE, requests: 40, connections: 16, fileBytes: other.bytes, userAgent: PLAYER };
    const pairs = await measurePairs([ours, other], PAIRS, batch);
    for (const by of ['clock', 'processor'] as const) rows.push(ratioRow(CAMPAIGNS[i]!, pairs, by));
  }
  await app.stop();
  await close(data);
  return rows;
}

/** Where a listener is led to. */
async function endpointOf(app: Server, { id }: Episode) {
  const asked = { redirect: 'manual', headers: { 'user-agent': PLAYER } } as const;
  const path = `/audio/${id}/hora.mp3`;
  const first = await fetch(app.url + path, asked);
  await first.body?.cancel();
  const url = app.url + (first.headers.get('location') ?? path);
  const head = await fetch(url, { method: 'HEAD' });
  return { url, pid: app.pid, bytes: Number(head.headers.get('content-length')) };
}

function ratioRow(campaigns: number, pairs: Pair[], by: keyof Pair): BenchmarkRow {
  const ratios = pairs.map((pair) => pair[by]);
  const [low, high] = medianBounds(ratios);
  return {
    label: `1 MiB of an hour with ${campaigns} campaigns : of the plain hour, by the ${by}`,
    figure: median(ratios).toFixed(3),
    details: `${low.toFixed(3)}–${high.toFixed(3)} at 95 %, ${pairs.length} pairs`,
    goal: `≥ ${GOAL.throughput}`,
    ...judge(median(ratios) / GOAL.throughput, { holds: true }),
  };
}

/** What a slow listener's connection holds in the server: an hour with 20 campaigns, and the plain hour. */
export async function memoryOfConnections(prepared: PreparedBenchmark): Promise<BenchmarkRow[]> {
  const data = await openInsertionData(prepared);
  const [plain, sponsored] = [await data.sponsored(0), await data.sponsored(20)];
  const used: number[][] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [i, episode] of [plain, sponsored].entries()) used[i]!.push(await memoryOf(prepared, episode));
  await close(data);
  const [without = 0, withClips = 0] = used.map(median);
  const more = withClips - without;
  return [
    {
      label: `memory of each of ${CONNECTIONS} slow connections, 20 campaigns`,
      figure: kilobytes(withClips),
      details: `${kilobytes(without)} for the plain hour: ${kilobytes(more)} more, median of ${ROUNDS} servers each`,
      goal: `≤ ${kilobytes(GOAL.bytesPerConnection)} more`,
      ...judge(more <= 0 ? 2 : GOAL.bytesPerConnection / more, { holds: true }),
    },
  ];
}

/** Bytes of a new server for each connection that has begun to read and waits. */
async function memoryOf(prepared: PreparedBenchmark, episode: Episode): Promise<number> {
  const app = await startApp(prepared);
  const { url, pid } = await endpointOf(app, episode);
  // compiles the path, and grows the heap to its usual size
  await measurePairs(
    [
      { url, pid },
      { url, pid },
    ],
    10,
    { bytes: MEBIBYTE, requests: 40, connections: 16, fileBytes: 50e6 },
  );
  await sleep(1000);
  const before = residentBytes(pid, 'VmRSS');
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => slowReader(url)));
  await sleep(2000);
  const used = residentBytes(pid, 'VmRSS') - before;
  for (const socket of sockets) socket.destroy();
  await app.stop();
  return used / CONNECTIONS;
}

/** Reads the first bytes, and no more. */
function slowReader(url: string): Promise<net.Socket> {
  const { hostname, port, pathname, host } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname).on('error', reject);
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: ${PLAYER}\r\n\r\n`);
    socket.once('data', () => resolve(socket.pause()));
  });
}

const close = ({ close: end }: InsertionData) => end();
