import { get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export type Page = { url: string; headers: Record<string, string> };
export type Latency = { count: number; failed: number; p50: number; p99: number };

/** Together they send about 200 requests per second. */
const VISITORS = 4;
const PAUSE_MS = 20;

/** Requests a page repeatedly, like visitors, while `work` runs. Times in ms. */
export async function loadDuring<T>(
  page: Page,
  work: () => Promise<T>,
): Promise<{ result: T; elapsed: number; latency: Latency }> {
  const times: number[] = [];
  let failed = 0;
  let isDone = false;
  const visit = async () => {
    while (!isDone) {
      const startedAt = performance.now();
      if (!(await isAnswered(page))) failed += 1;
      times.push(performance.now() - startedAt);
      await wait(PAUSE_MS);
    }
  };
  const visits = Array.from({ length: VISITORS }, visit);
  const startedAt = performance.now();
  const result = await work();
  const elapsed = performance.now() - startedAt;
  isDone = true;
  await Promise.all(visits);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { result, elapsed, latency: { count: times.length, failed, p50: at(0.5), p99: at(0.99) } };
}

function isAnswered({ url, headers }: Page): Promise<boolean> {
  return new Promise((resolve) => {
    get(url, { headers }, (res) => {
      res.resume().on('end', () => resolve(res.statusCode === 200));
    }).on('error', () => resolve(false));
  });
}
