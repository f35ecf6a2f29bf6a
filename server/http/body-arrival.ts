import type { IncomingMessage, ServerResponse } from 'node:http';
import { BODY_LIMITS } from '../limits/http';

/** Uploads may take as long as the client's connection needs; reads have no body. */
export function hasBodyToWaitFor({ method, url, complete }: IncomingMessage): boolean {
  return !complete && method !== 'GET' && method !== 'HEAD' && !url?.startsWith('/uploads/');
}

/** Requests whose bodies may take longer than one period, if enough bytes arrive in each. */
const withFiles = new WeakSet<IncomingMessage>();

/** Call it for a user's form with files, which takes as long as the user's connection needs. */
export function allowLongBody(req: IncomingMessage): void {
  withFiles.add(req);
}

/**
 * Closes the connection of a client that sends its body slowly, so that no client can hold many requests open for
 * hours: a body must arrive within `ms`; a form with files, `BODY_LIMITS.pace` bytes of it.
 */
export function limitArrival(req: IncomingMessage, res: ServerResponse, ms: number = BODY_LIMITS.arrival): void {
  const { socket } = req;
  let counted = socket.bytesRead;
  const timer = setInterval(() => {
    if (req.complete) return clearInterval(timer);
    const arrived = socket.bytesRead - counted;
    counted = socket.bytesRead;
    if (withFiles.has(req) && arrived >= BODY_LIMITS.pace) return;
    if (!res.headersSent) socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
    socket.destroySoon();
  }, ms);
  timer.unref();
  req.once('end', () => clearInterval(timer));
  req.once('close', () => clearInterval(timer));
}
