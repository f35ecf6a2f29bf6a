import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Env } from '../env/read';
import type { App } from '../http/app-env';
import { mountHealth, type Readiness } from '../http/health';
import type { HostRules } from '../http/host';
import { createListener } from '../http/listener';
import { createMetrics, mountMetrics } from '../http/metrics';
import { createObserver } from '../http/observer';
import { recordRequests } from '../http/record-requests';
import { ObservedResponse } from '../watching/observed-response';
import { describeListening } from './free-port';
import type { Runtime } from './runtime';

export type WorkerPort = {
  port: number;
  /** `/readyz` answers 503 from now on. */
  announceStop(): Promise<void>;
  close(): Promise<void>;
};

/** `/healthz`, `/readyz` and `/metrics` of a process that only runs jobs, with the rules of a web process. */
export async function startWorkerPort(env: Env, runtime: Runtime, port: number): Promise<WorkerPort> {
  const readiness: Readiness = { stopping: false };
  const hosts: HostRules = { ...env.urls, allowsUnprefixedHosts: !env.production, trustProxy: env.trustedProxies > 0 };
  const metrics = createMetrics(runtime);
  const app: App = new Hono();
  app.use(recordRequests({ hosts, trustedProxies: env.trustedProxies }));
  mountHealth(app, runtime, readiness);
  mountMetrics(app, metrics, env.metricsToken);
  const listener = createListener([], getRequestListener(app.fetch as never), {
    log: runtime.log,
    observer: createObserver(metrics.requests, runtime.log, env.trustedProxies),
  });
  const server = http.createServer({ ServerResponse: ObservedResponse as typeof http.ServerResponse }, listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(describeListening(error, { port, host: env.host }, 'WORKER_PORT'));
    });
    server.listen(port, env.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async announceStop() {
      readiness.stopping = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
