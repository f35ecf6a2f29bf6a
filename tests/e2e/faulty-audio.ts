import http from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Faults of audio only. `stall`: sends nothing more, with the connection open. `dead`: closes connections. `forbid`:
 * 403.
 */
type Fault = 'none' | 'stall' | 'dead' | 'forbid';

/** Bytes of audio that arrive before a fault: some seconds of the demo's tunes. */
const SENT_BYTES = 60_000;

/**
 * The app behind a connection whose audio fails in the given way. Only the first seconds of a file arrive at once, so
 * that the browser can't have all of it before the fault.
 */
export async function faultyAudio(appUrl: string) {
  const app = new URL(appUrl);
  const waiting = new Set<() => void>();
  let fault: Fault = 'stall';
  const isAudio = (url = '') => /^\/audio\/\d+\/[^/]+\.mp3/.test(url);

  const server = http.createServer((req, res) => {
    const host = (req.headers.host ?? '').replace(/:\d+$/, `:${app.port}`);
    const headers: http.IncomingHttpHeaders = { ...req.headers, host };
    if (headers.origin) headers.origin = `http://${host}`;
    if (isAudio(req.url) && fault === 'dead') return void res.destroy();
    if (isAudio(req.url) && fault === 'forbid') return void res.writeHead(403, { 'content-length': 0 }).end();
    const target = { host: '127.0.0.1', port: app.port, path: req.url, method: req.method, headers };
    const upstream = http.request(target, (answer) => {
      res.writeHead(answer.statusCode ?? 500, answer.headers);
      if (!isAudio(req.url) || req.method === 'HEAD') return void answer.pipe(res);
      let sent = 0;
      answer.on('data', (chunk: Buffer) => {
        sent += chunk.length;
        res.write(chunk);
        if (fault !== 'none' && sent >= SENT_BYTES) {
          answer.pause();
          waiting.add(() => (fault === 'none' ? answer.resume() : res.destroy()));
        }
      });
      answer.on('end', () => res.end());
    });
    upstream.on('error', () => res.destroy());
    req.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://${app.hostname}:${(server.address() as AddressInfo).port}`,
    host: (name: string) => `http://${name}.${app.hostname}:${(server.address() as AddressInfo).port}`,
    become(next: Fault) {
      fault = next;
      for (const go of waiting) go();
      waiting.clear();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
