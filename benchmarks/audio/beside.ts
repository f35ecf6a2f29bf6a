import { get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export type Visited = { url: string; headers: Record<string, string> };
export type Asked = { count: number; failed: number; p50: number; p99: number };

/** Together about 200 requests a second. */
const VISITORS = 4;
const PAUSE_MS = 20;

/** Asks a server again and again, as its visitors would, for as long as `work` takes. Times in ms. */
export async function beside<T>(
  visited: Visited,
  work: () => Promise<T>,
): Promise<{ result: T; spent: number; asked: Asked }> {
  const times: number[] = [];
  let failed = 0;
  let over = false;
  const visit = async () => {
    while (!over) {
      const begun = performance.now();
      if (!(await answered(visited))) failed += 1;
      times.push(performance.now() - begun);
      await wait(PAUSE_MS);
    }
  };
  const visits = Array.from({ length: VISITORS }, visit);
  const begun = performance.now();
  const result = await work();
  const spent = performance.now() - begun;
  over = true;
  await Promise.all(visits);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { result, spent, asked: { count: times.length, failed, p50: at(0.5), p99: at(0.99) } };
}

function answered({ url, headers }: Visited): Promise<boolean> {
  return new Promise((resolve) => {
    get(url, { headers }, (res) => {
      res.resume().on('end', () => resolve(res.statusCode === 200));
    }).on('error', () => resolve(false));
  });
}
