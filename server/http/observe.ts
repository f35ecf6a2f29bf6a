import { createMiddleware } from 'hono/factory';
import type { Runtime } from '../runtime';
import type { AppEnv } from './app';
import { type DoorRules, factsOf } from './facts';
import type { Metrics } from './metrics';

/** Asked all the time by machines; a line each would drown the others. */
const QUIET = /^\/(?:healthz|readyz|metrics|assets\/)/;

/** The first to see a request: finds its facts, names it, times it, and writes its line of the log. */
export function observe({ log }: Runtime, rules: DoorRules, metrics: Metrics) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const began = performance.now();
    const facts = factsOf(c.req.raw, rules, c.env?.incoming?.socket.remoteAddress);
    c.set('facts', facts);
    await next();
    c.res.headers.set('x-request-id', facts.requestId);
    const { method, path } = c.req;
    const ms = performance.now() - began;
    metrics.count(method, path, c.res.status, ms / 1000);
    if (!QUIET.test(path)) {
      const line = {
        requestId: facts.requestId,
        method,
        host: facts.host,
        path,
        status: c.res.status,
        ms: Math.round(ms),
      };
      log.info(line, 'request');
    }
  });
}
