import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import { noteRoute, ObservedResponse, requestIdOf } from '../watching/observed-response';
import type { AppEnv } from './app-env';
import { type RequestRules, requestContext } from './request-context';

/** The first middleware: sets the request context, and names the app's route for the observer. */
export function recordRequests(rules: RequestRules) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const { incoming, outgoing } = c.env ?? {};
    const requestId = requestIdOf(outgoing);
    const context = await requestContext(c.req.raw, rules, { address: incoming?.socket.remoteAddress, requestId });
    c.set('requestContext', context);
    await next();
    noteMatched(c);
    // otherwise the response adds it
    if (requestId === '') c.res.headers.set('x-request-id', context.requestId);
  });
}

/** Notes the route of a request to the app. */
export function noteAppRoute(c: Context<AppEnv>, route: string): void {
  noteRoute(c.env?.outgoing, route);
}

/** Notes the matched route if no door has named a more precise one. */
function noteMatched(c: Context<AppEnv>): void {
  const res = c.env?.outgoing;
  const route = routePath(c);
  if (res instanceof ObservedResponse && res.route === null && !/^\/?\*$/.test(route)) res.route = route;
}
