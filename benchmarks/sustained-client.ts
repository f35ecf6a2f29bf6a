import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';

/** The requests of one kind, and their results. */
export type Tally = { sent: number; failed: number; bytes: number; ms: number[]; statuses: Record<number, number> };
export type Call = { path: string; headers: Record<string, string>; method?: 'GET' | 'POST'; body?: string };

export const emptyTally = (): Tally => ({ sent: 0, failed: 0, bytes: 0, ms: [], statuses: {} });

/** Sends requests at fixed times, whether or not earlier ones were answered: a slow server gets a queue. */
export function sustainedClient(url: string) {
  const pools: Pool[] = [];
  const poolOf = (connections: number) => {
    const pool = new Pool(url, { connections, pipelining: 1, headersTimeout: 30_000, bodyTimeout: 30_000 });
    pools.push(pool);
    return pool;
  };
  let isEnding = false;

  function send(pool: Pool, { path, headers, method = 'GET', body }: Call, tally: Tally): void {
    const startedAt = performance.now();
    let status = 0;
    tally.sent += 1;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart(_, code) {
        status = code;
        tally.statuses[code] = (tally.statuses[code] ?? 0) + 1;
        if (code >= 400) tally.failed += 1;
      },
      onResponseData(_, chunk) {
        tally.bytes += chunk.length;
      },
      onResponseEnd() {
        if (status < 400) tally.ms.push(performance.now() - startedAt);
      },
      onResponseError() {
        if (!isEnding) tally.failed += 1;
      },
    };
    pool.dispatch({ path, method, headers, body: body ?? null }, handler);
  }

  /** @param next creates the nth request */
  async function atRate(
    perSecond: number,
    connections: number,
    next: (n: number) => Call,
    tally: Tally,
  ): Promise<void> {
    const pool = poolOf(connections);
    const began = performance.now();
    for (let n = 0; !isEnding; await sleep(10)) {
      const due = ((performance.now() - began) / 1000) * perSecond;
      for (; n < due; n += 1) send(pool, next(n), tally);
    }
  }

  /** Reads a file repeatedly, at most at this rate. */
  async function stream(call: Call, bytesPerSecond: number, tally: Tally): Promise<void> {
    const pool = poolOf(1);
    while (!isEnding) {
      tally.sent += 1;
      try {
        const began = performance.now();
        let read = 0;
        const { statusCode, body } = await pool.request({ path: call.path, method: 'GET', headers: call.headers });
        tally.statuses[statusCode] = (tally.statuses[statusCode] ?? 0) + 1;
        for await (const chunk of body) {
          read += chunk.length;
          tally.bytes += chunk.length;
          const early = (read / bytesPerSecond) * 1000 - (performance.now() - began);
          if (isEnding) break;
          if (early > 5) await sleep(early);
        }
      } catch {
        if (!isEnding) tally.failed += 1;
      }
    }
  }

  return {
    atRate,
    stream,
    async end() {
      isEnding = true;
      await sleep(500);
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
}

export function percentile(ms: number[], share: number): number {
  const sorted = Float64Array.from(ms).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
