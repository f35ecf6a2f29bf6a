import http from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A proxy like nginx with `proxy_next_upstream error http_503`: it alternates between two servers and keeps connections
 * to both. It asks the other server if a connection is refused, or if a read was cut before its answer or answered with
 * 503.
 */
export async function retryingProxy(ports: number[]) {
  const agents = new Map(ports.map((port) => [port, new http.Agent({ keepAlive: true, maxSockets: 256 })]));
  let turn = 0;

  /** @param at the first server to ask; the next one is asked if it does not answer */
  function pass(req: http.IncomingMessage, res: http.ServerResponse, { at, left }: { at: number; left: number }): void {
    const port = ports[at % ports.length]!;
    const next = { at: at + 1, left: left - 1 };
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    const headers = { ...req.headers, connection: 'keep-alive' };
    const options = { agent: agents.get(port), port, host: '127.0.0.1', path: req.url, method: req.method, headers };
    const call = http.request(options);
    call.on('error', (error: NodeJS.ErrnoException) => {
      const mayRetry = left > 0 && !res.headersSent && (error.code === 'ECONNREFUSED' || isRead);
      if (mayRetry) pass(req, res, next);
      else res.destroy();
    });
    call.on('response', (answer) => {
      if (answer.statusCode === 503 && isRead && left > 0) {
        answer.resume();
        pass(req, res, next);
        return;
      }
      const { connection: _, 'keep-alive': __, ...passed } = answer.headers;
      res.writeHead(answer.statusCode ?? 502, passed);
      answer.pipe(res);
      answer.on('error', () => res.destroy());
    });
    res.on('close', () => call.destroy());
    if (isRead) call.end();
    // a body can be sent only once, so this waits for the connection first
    else
      call.on('socket', (socket) =>
        socket.connecting ? socket.once('connect', () => req.pipe(call)) : req.pipe(call),
      );
  }

  const server = http.createServer({ requestTimeout: 0 }, (req, res) => pass(req, res, { at: turn++, left: 3 }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close().closeAllConnections();
      for (const agent of agents.values()) agent.destroy();
    },
  };
}
