import type { IncomingMessage, ServerResponse } from 'node:http';
import { describeProblem } from '../base/problems';
import type { Log } from '../watching/log';
import { breakOff, ObservedResponse, requestIdOf } from '../watching/observed-response';
import type { Tracing } from '../watching/tracing/tracing';
import { hasBodyToWaitFor, limitArrival } from './body-arrival';
import type { Observer } from './observer';
import { sendUnavailable } from './send-unavailable';

/** Handles a request on Node's own objects; returns false if the request is not for this handler. */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse) => boolean | Promise<boolean>;

/**
 * The process's only request listener: tries each handler in turn, then the app. Synchronous handlers cost no promise.
 */
export function createListener(
  handlers: NodeHandler[],
  app: (req: IncomingMessage, res: ServerResponse) => void,
  { log, observer, tracing = null }: { log: Log; observer?: Observer; tracing?: Tracing | null },
) {
  function dispatch(from: number, req: IncomingMessage, res: ServerResponse): void {
    for (let i = from; i < handlers.length; i += 1) {
      const handled = (handlers[i] as NodeHandler)(req, res);
      if (handled === true) return;
      if (handled === false) continue;
      handled.then((done) => done || dispatch(i + 1, req, res)).catch((err) => fail(err, req, res));
      return;
    }
    app(req, res);
  }

  function fail(err: unknown, req: IncomingMessage, res: ServerResponse): void {
    const isUnavailable = describeProblem(err).kind === 'unavailable';
    if (!isUnavailable) log.error({ err, requestId: requestIdOf(res), method: req.method }, 'request failed');
    if (res.headersSent) breakOff(res);
    else if (isUnavailable) sendUnavailable(res);
    else
      res
        .writeHead(500, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
        .end('Something went wrong.');
  }

  function handle(req: IncomingMessage, res: ServerResponse): void {
    if (hasBodyToWaitFor(req)) limitArrival(req, res);
    try {
      dispatch(0, req, res);
    } catch (err) {
      fail(err, req, res);
    }
  }

  return (req: IncomingMessage, res: ServerResponse): void => {
    const isObserved = res instanceof ObservedResponse;
    if (isObserved) observer?.observe(req, res);
    if (isObserved && tracing) tracing.request(req, res, () => handle(req, res));
    else handle(req, res);
  };
}
