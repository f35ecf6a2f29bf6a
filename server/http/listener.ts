import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../log';

/** Answers a request on Node's own objects, before any framework, or says that it is not for it. */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse) => boolean | Promise<boolean>;

/**
 * The process's one request listener: each handler is asked in turn, the app answers the rest. A handler that answers at
 * once costs no promise.
 */
export function createListener(
  handlers: NodeHandler[],
  app: (req: IncomingMessage, res: ServerResponse) => void,
  log: Log,
) {
  function offer(from: number, req: IncomingMessage, res: ServerResponse): void {
    for (let i = from; i < handlers.length; i += 1) {
      const taken = (handlers[i] as NodeHandler)(req, res);
      if (taken === true) return;
      if (taken === false) continue;
      taken.then((done) => done || offer(i + 1, req, res)).catch((err) => fail(err, req, res));
      return;
    }
    app(req, res);
  }

  function fail(err: unknown, req: IncomingMessage, res: ServerResponse): void {
    log.error({ err, method: req.method, url: req.url }, 'a request failed');
    if (res.headersSent) res.destroy();
    else
      res
        .writeHead(500, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
        .end('Something went wrong.');
  }

  return (req: IncomingMessage, res: ServerResponse): void => {
    try {
      offer(0, req, res);
    } catch (err) {
      fail(err, req, res);
    }
  };
}
