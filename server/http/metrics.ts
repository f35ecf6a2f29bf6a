import { timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { LAST_BACKUP, milestones } from '~/db/schema/operations';
import { SECONDS } from '../base/time';
import { countJobs, type JobCount } from '../queue/count-jobs';
import type { Runtime } from '../runtime/runtime';
import { createRequestCounts } from '../watching/request-counts';
import type { App } from './app-env';
import { showRequestCounts } from './request-metrics';

/** Prometheus waits for ten seconds, but an operator who looks during an outage should not. */
const QUERY_TIMEOUT = SECONDS(1.5);
const SAME_READING = SECONDS(0.5);

/** In milliseconds. prom-client's 10 would wake an idle process a hundred times a second. */
const LAG_PRECISION = 50;

export type Metrics = ReturnType<typeof createMetrics>;

/** Metrics of this process and of the shared job queue. `requests`: the counts of an observer. */
export function createMetrics(runtime: Runtime) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_PRECISION });
  const requests = createRequestCounts();
  showRequestCounts(registry, requests);
  const queue = queueReader(runtime);
  new Gauge({
    name: 'jobs',
    help: 'Jobs in the queue by state.',
    labelNames: ['name', 'state'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { name, state, count } of await queue()) this.set({ name, state }, count);
    },
  });
  new Gauge({
    name: 'job_oldest_waiting_seconds',
    help: 'Age of the oldest job of each name that is due and waits. 0: none.',
    labelNames: ['name'],
    registers: [registry],
    async collect() {
      this.reset();
      const oldest = new Map<string, number>();
      for (const { name, waiting } of await queue()) oldest.set(name, Math.max(waiting, oldest.get(name) ?? 0));
      for (const [name, seconds] of oldest) this.set({ name }, seconds);
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
    name: 'last_backup_timestamp_seconds',
    help: 'When the last finished backup began. 0: there was none. Absent if the database does not answer.',
    registers: [registry],
    async collect() {
      const at = await withinTime(lastBackup(runtime)).catch(() => null);
      if (at === null) this.remove();
      else this.set(at);
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
    requests,
    contentType: registry.contentType,
    read: async () => (await Promise.all([registry.metrics(), runtime.meters.registry.metrics()])).join('\n'),
  };
}

/** @throws if the database does not answer in time */
function withinTime<T>(answer: Promise<T>): Promise<T> {
  const late = sleep(QUERY_TIMEOUT, null, { ref: false }).then(() => Promise.reject(new Error('no answer in time')));
  return Promise.race([answer, late]);
}

async function lastBackup({ db }: Runtime): Promise<number> {
  const [row] = await db.select().from(milestones).where(eq(milestones.name, LAST_BACKUP));
  return row ? row.reachedAt.getTime() / 1000 : 0;
}

/** The queue's state, read once for all metrics of one response. */
function queueReader({ db }: Runtime): () => Promise<JobCount[]> {
  let last: { at: number; answer: Promise<JobCount[]> } | null = null;
  return () => {
    if (last && performance.now() - last.at < SAME_READING) return last.answer;
    // without an answer, the other metrics are still worth reading
    last = { at: performance.now(), answer: withinTime(countJobs(db)).catch(() => []) };
    return last.answer;
  };
}

/** `/metrics`, for clients with the token. If no token is set, only for direct requests from this machine. */
export function mountMetrics(app: App, metrics: Metrics, token: string | null): void {
  app.get('/metrics', async (c) => {
    const sent = c.req.header('authorization') ?? '';
    const allowed = token
      ? isSame(sent, `Bearer ${token}`)
      : !c.req.header('x-forwarded-for') && isLoopback(c.get('requestContext').address);
    if (!allowed) return c.text('forbidden', 403);
    return c.text(await metrics.read(), 200, { 'content-type': metrics.contentType });
  });
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}
