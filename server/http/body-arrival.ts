import type { IncomingMessage, ServerResponse } from 'node:http';
import { BODY_LIMITS } from '../limits/http';

/** Uploads may take as long as the client's connection needs; reads have no body. */
export function hasBodyToWaitFor({ method, url, complete }: IncomingMessage): boolean {
  return !complete && method !== 'GET' && method !== 'HEAD' && !url?.startsWith('/uploads/');
}

/** The timers of requests whose bodies have not arrived yet. */
const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Call it for a user's form with files, which takes as long as an upload. */
export function allowSlowBody(req: IncomingMessage): void {
  clearTimeout(timers.get(req));
}

/**
 * Closes the connection of a client that sends its body slowly, so that no client can hold many requests open for
 * hours.
 */
export function limitArrival(req: IncomingMessage, res: ServerResponse, ms: number = BODY_LIMITS.arrival): void {
  const { socket } = req;
  const timer = setTimeout(() => {
    if (req.complete) return;
    if (!res.headersSent) socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
    socket.destroySoon();
  }, ms);
  timer.unref();
  timers.set(req, timer);
  req.once('end', () => clearTimeout(timer));
  req.once('close', () => clearTimeout(timer));
}
