import { sql } from 'drizzle-orm';
import { askDatabase, askStorage } from '../domain/status/component-probes';
import { timedAnswer } from '../flow/timed-answer';
import { STATUS_LIMITS } from '../limits/status';
import type { Runtime } from '../runtime/runtime';
import type { App } from './app-env';

const UNCACHED = { 'cache-control': 'no-store' };

export type Readiness = {
  /** Set at the start of a shutdown, so that the load balancer sends no new requests. */
  stopping: boolean;
};

/**
 * `/healthz`: the process is alive. `/readyz`: a load balancer should send requests here, because the database and the
 * queue respond. Without the storage, which all processes share, pages and feeds still work, so it is reported only.
 */
export function mountHealth(app: App, runtime: Runtime, readiness: Readiness): void {
  const checks = {
    database: () => askDatabase(runtime),
    queue: () => runtime.db.execute(sql`select version from pgboss.version`),
    storage: () => askStorage(runtime),
  };
  app.get('/healthz', (c) => c.json({ ok: true }, 200, UNCACHED));
  app.get('/readyz', async (c) => {
    const found = await Promise.all(
      Object.entries(checks).map(
        async ([name, run]) => [name, (await timedAnswer(run, STATUS_LIMITS.answer)).isOk] as const,
      ),
    );
    const ok = !readiness.stopping && found.every(([name, fine]) => fine || name === 'storage');
    const report = { ok, ...Object.fromEntries(found), ...(readiness.stopping && { leaving: true }) };
    return c.json(report, ok ? 200 : 503, UNCACHED);
  });
}
