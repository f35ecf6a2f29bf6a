import { createMiddleware } from 'hono/factory';
import type { Runtime } from '../runtime';
import type { AppEnv } from './app-env';
import type { Metrics } from './metrics';
import { type RequestRules, requestContext } from './request-context';

/** Frequent machine requests, which would flood the log. */
const UNLOGGED = /^\/(?:healthz|readyz|metrics|assets\/)/;
/** As in nginx's log: the client left before the answer. */
const CLIENT_CLOSED_REQUEST = 499;

/** The first middleware: sets the request context and the request id, measures the time and logs the request. */
export function recordRequests({ log }: Runtime, rules: RequestRules, metrics: Metrics) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const began = performance.now();
    const context = await requestContext(c.req.raw, rules, c.env?.incoming?.socket.remoteAddress);
    c.set('requestContext', context);
    await next();
    c.res.headers.set('x-request-id', context.requestId);
    const { method, path } = c.req;
    const ms = performance.now() - began;
    const status = c.res.status >= 500 && c.req.raw.signal.aborted ? CLIENT_CLOSED_REQUEST : c.res.status;
    metrics.count(method, path, status, ms / 1000);
    if (!UNLOGGED.test(path)) {
      const line = {
        requestId: context.requestId,
        method,
        host: context.host,
        path,
        status,
        ms: Math.round(ms),
      };
      log.info(line, 'request');
    }
  });
}
