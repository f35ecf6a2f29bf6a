import { readdirSync, readFileSync } from 'node:fs';
import net from 'node:net';

export type Pair = { clock: number; processor: number };
type Place = { url: string; pid: number };
/** `requests` for ranges of `bytes` each. */
type Batch = { bytes: number; requests: number; connections: number; fileBytes: number };
type Spent = { clock: number; processor: number };

/**
 * Two addresses of one server asked for the same ranges, a short batch of one and then of the other, and the next time the other
 * way round. What else the machine does falls on both, so that the ratios of a few hundred pairs tell a difference of some
 * hundredths even where single figures swing by a third.
 * @returns for each pair what the first gives of what the second gives, by the clock and by the server's processor time
 */
export async function paired([ours, other]: [Place, Place], pairs: number, batch: Batch): Promise<Pair[]> {
  // the same connections for both: each has a window of its own, which grows with its luck
  const sockets = await Promise.all(Array.from({ length: batch.connections }, () => connected(ours)));
  const ratios: Pair[] = [];
  for (let pair = -5; pair < pairs; pair++) {
    const ranges = Array.from({ length: batch.requests }, () => randomRange(batch));
    const spent = new Map<Place, Spent>();
    for (const place of pair % 2 ? [ours, other] : [other, ours]) {
      spent.set(place, await asked(place, ranges, sockets));
    }
    const [a, b] = [spent.get(ours)!, spent.get(other)!];
    // the first few warm up whatever is cold
    if (pair >= 0) ratios.push({ clock: b.clock / a.clock, processor: b.processor / a.processor });
  }
  for (const socket of sockets) socket.destroy();
  return ratios;
}

function connected({ url }: Place): Promise<net.Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => resolve(socket)).on('error', reject);
  });
}

function randomRange({ bytes, fileBytes }: Batch): string {
  const start = Math.floor(Math.random() * (fileBytes - bytes));
  return `${start}-${start + bytes - 1}`;
}

async function asked({ url, pid }: Place, ranges: string[], sockets: net.Socket[]): Promise<Spent> {
  const left = [...ranges];
  const { host, pathname } = new URL(url);
  const head = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nRange: bytes=`;
  const [before, began] = [processorSeconds(pid), performance.now()];
  await Promise.all(
    sockets.map(async (socket) => {
      for (let range = left.pop(); range; range = left.pop()) await answered(socket, `${head}${range}\r\n\r\n`);
    }),
  );
  return { clock: performance.now() - began, processor: processorSeconds(pid) - before };
}

function answered(socket: net.Socket, request: string): Promise<void> {
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

/** Of all threads together; finer than the hundredths that the process's own account has. */
function processorSeconds(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e9;
}
