import { timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Runtime } from '../runtime';
import { SECONDS } from '../time';
import type { App } from './app-env';

/** Prometheus waits for ten seconds, but an operator who looks during an outage should not. */
const QUERY_TIMEOUT = SECONDS(1.5);

export type Metrics = ReturnType<typeof createMetrics>;

/** Metrics of this process and of the shared job queue. */
export function createMetrics(runtime: Runtime) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests that reached the app. Pages served from the cache are not included.',
    labelNames: ['method', 'door', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'jobs',
    help: 'Jobs in the queue by state.',
    labelNames: ['name', 'state'],
    registers: [registry],
    async collect() {
      this.reset();
      // without an answer, the other metrics are still worth reading
      const jobs = await withinTime(countJobs(runtime)).catch(() => []);
      for (const { name, state, count } of jobs) this.set({ name, state }, count);
    },
  });
  new Gauge({
    name: 'database_up',
    help: '1 if the database answers, otherwise 0.',
    registers: [registry],
    async collect() {
      const answer = withinTime(runtime.db.execute(sql`select 1`));
      this.set(
        await answer.then(
          () => 1,
          () => 0,
        ),
      );
    },
  });
  new Gauge({
    name: 'storage_free_bytes',
    help: 'Free bytes on the disk that stores files. Absent with S3, which has no limit.',
    registers: [registry],
    async collect() {
      // a network disk that hangs must not hang the other metrics
      const free = await withinTime(runtime.ports.storage.freeBytes()).catch(() => null);
      if (free === null) this.remove();
      else this.set(free);
    },
  });
  return {
    registry,
    count: (method: string, path: string, status: number, seconds: number) =>
      requests.observe({ method, door: doorOf(path), status }, seconds),
  };
}

/** @throws if the database does not answer in time */
function withinTime<T>(answer: Promise<T>): Promise<T> {
  const late = sleep(QUERY_TIMEOUT, null, { ref: false }).then(() => Promise.reject(new Error('no answer in time')));
  return Promise.race([answer, late]);
}

async function countJobs({ db }: Runtime) {
  const rows = await db.execute<{ name: string; state: string; count: number }>(
    sql`select name, state::text, count(*)::int from pgboss.job where state < 'completed' or state = 'failed' group by 1, 2`,
  );
  return [...rows];
}

/** A full path has too many values for a label, so the first segment is used. */
function doorOf(path: string): string {
  const first = path.split('/')[1] ?? '';
  return ['trpc', 'api', 'assets', 'media', 'audio', 'uploads'].includes(first) ? first : 'pages';
}

/** `/metrics`, for clients with the token. If no token is set, only for direct requests from this machine. */
export function mountMetrics(app: App, metrics: Metrics, token: string | null): void {
  app.get('/metrics', async (c) => {
    const sent = c.req.header('authorization') ?? '';
    const allowed = token
      ? isSame(sent, `Bearer ${token}`)
      : !c.req.header('x-forwarded-for') && isLoopback(c.get('requestContext').address);
    if (!allowed) return c.text('forbidden', 403);
    return c.text(await metrics.registry.metrics(), 200, { 'content-type': metrics.registry.contentType });
  });
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}
