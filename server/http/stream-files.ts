import { ServerResponse } from 'node:http';
import type { MiddlewareHandler } from 'hono';
import type { Log } from '../watching/log';
import { breakOff, requestIdOf } from '../watching/observed-response';
import type { AppEnv } from './app-env';
import { acceptsGzip } from './compress-texts';

/**
 * Sends CSV files while they are made, compressed for clients that accept gzip. If a part of the file can't be read, the
 * connection is closed before the file's end: clients would otherwise keep a part of it as if it were whole.
 */
export function streamFiles(log: Log): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    await next();
    const { headers, status } = c.res;
    if (!/^text\/csv\b/.test(headers.get('content-type') ?? '')) return;
    // only for files: reading `body` turns the server's light response into one with a stream
    const { body } = c.res;
    if (!body) return;
    const outgoing = c.env?.outgoing;
    const isGzip = acceptsGzip(c.req.header('accept-encoding'));
    if (isGzip) {
      headers.set('content-encoding', 'gzip');
      headers.append('vary', 'Accept-Encoding');
    }
    const file = noticeFault(body, (err) => {
      log.error({ err, requestId: requestIdOf(outgoing) }, 'file broken off');
      if (!(outgoing instanceof ServerResponse)) return false;
      breakOff(outgoing);
      return true;
    });
    const sent = isGzip ? file.pipeThrough(new CompressionStream('gzip')) : file;
    const response = new Response(sent as ReadableStream, { status, headers });
    // Hono would otherwise add the old headers to the new response
    c.res = undefined;
    c.res = response;
  };
}

/** The same stream. If the source fails, it ends after `breaksOff` has closed the connection, or fails, too. */
function noticeFault(source: ReadableStream<Uint8Array>, breaksOff: (error: unknown) => boolean) {
  const reader = source.getReader();
  return new ReadableStream<BufferSource>({
    async pull(controller) {
      try {
        const { value, done } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value as Uint8Array<ArrayBuffer>);
      } catch (error) {
        if (!breaksOff(error)) throw error;
        // the server's library would print the error once more
        controller.close();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
