import { createMiddleware } from 'hono/factory';
import type { Runtime } from '../runtime';
import type { AppEnv } from './app';
import type { Metrics } from './metrics';
import { type RequestRules, requestContext } from './request-context';

/** Asked all the time by machines; a line each would drown the others. */
const QUIET = /^\/(?:healthz|readyz|metrics|assets\/)/;

/** The first to see a request: finds its facts, names it, times it, and writes its line of the log. */
export function observe({ log }: Runtime, rules: RequestRules, metrics: Metrics) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const began = performance.now();
    const context = requestContext(c.req.raw, rules, c.env?.incoming?.socket.remoteAddress);
    c.set('requestContext', context);
    await next();
    c.res.headers.set('x-request-id', context.requestId);
    const { method, path } = c.req;
    const ms = performance.now() - began;
    metrics.count(method, path, c.res.status, ms / 1000);
    if (!QUIET.test(path)) {
      const line = {
        requestId: context.requestId,
        method,
        host: context.host,
        path,
        status: c.res.status,
        ms: Math.round(ms),
      };
      log.info(line, 'request');
    }
  });
}
