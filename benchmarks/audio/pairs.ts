import { readdirSync, readFileSync } from 'node:fs';
import net from 'node:net';

export type Pair = { clock: number; processor: number };
type Endpoint = { url: string; pid: number };
/** A number of requests for ranges of `bytes` each, which name a user agent if it matters. */
type Batch = { bytes: number; requests: number; connections: number; fileBytes: number; userAgent?: string };
type Cost = { clock: number; processor: number };

/**
 * Requests the same ranges from two endpoints of one server, in short batches and in alternating order. Other load
 * affects both equally, so the ratios of a few hundred pairs reveal a difference of some hundredths, even if single
 * figures vary by a third.
 * @returns the speed of the first relative to the second, for each pair: by elapsed time and by the server's CPU time
 */
export async function measurePairs([ours, other]: [Endpoint, Endpoint], pairs: number, batch: Batch): Promise<Pair[]> {
  // both use the same connections, because TCP windows differ between connections
  const sockets = await Promise.all(Array.from({ length: batch.connections }, () => connect(ours)));
  const ratios: Pair[] = [];
  const { userAgent = 'benchmark' } = batch;
  for (let pair = -5; pair < pairs; pair++) {
    const ranges = Array.from({ length: batch.requests }, () => randomRange(batch));
    const costs = new Map<Endpoint, Cost>();
    for (const endpoint of pair % 2 ? [ours, other] : [other, ours]) {
      costs.set(endpoint, await requestRanges(endpoint, { ranges, userAgent }, sockets));
    }
    const [a, b] = [costs.get(ours)!, costs.get(other)!];
    // the first pairs only warm up
    if (pair >= 0) ratios.push({ clock: b.clock / a.clock, processor: b.processor / a.processor });
  }
  for (const socket of sockets) socket.destroy();
  return ratios;
}

function connect({ url }: Endpoint): Promise<net.Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => resolve(socket)).on('error', reject);
  });
}

function randomRange({ bytes, fileBytes }: Batch): string {
  const start = Math.floor(Math.random() * (fileBytes - bytes));
  return `${start}-${start + bytes - 1}`;
}

type Requests = { ranges: string[]; userAgent: string };

async function requestRanges(
  { url, pid }: Endpoint,
  { ranges, userAgent }: Requests,
  sockets: net.Socket[],
): Promise<Cost> {
  const queue = [...ranges];
  const { host, pathname } = new URL(url);
  const head = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: ${userAgent}\r\nRange: bytes=`;
  const [before, startedAt] = [processorSeconds(pid), performance.now()];
  await Promise.all(
    sockets.map(async (socket) => {
      for (let range = queue.pop(); range; range = queue.pop()) await sendRequest(socket, `${head}${range}\r\n\r\n`);
    }),
  );
  return { clock: performance.now() - startedAt, processor: processorSeconds(pid) - before };
}

function sendRequest(socket: net.Socket, request: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let missing: number | null = null;
    const onData = (bytes: Buffer) => {
      if (missing === null) {
        const head = bytes.toString('latin1', 0, bytes.indexOf('\r\n\r\n'));
        const length = /^HTTP\/1\.1 206 [\s\S]*content-length: (\d+)/i.exec(head)?.[1];
        if (!length) return reject(new Error(head));
        missing = head.length + 4 + Number(length);
      }
      missing -= bytes.length;
      if (missing > 0) return;
      socket.off('data', onData);
      resolve();
    };
    socket.on('data', onData).write(request);
  });
}

/** CPU time of all threads, in nanoseconds internally; the process's own figure has a resolution of 0.01 s. */
function processorSeconds(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e9;
}
