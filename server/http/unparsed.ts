import type { Duplex } from 'node:stream';
import { countRequest, type RequestCounts } from '../watching/request-counts';

/** The template of input that is not a request, and so has no path. */
const UNPARSED = 'unparsed';
const STATUS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

type Unanswered = Duplex & { _httpMessage?: { headersSent: boolean } | null };

/**
 * Handles `clientError`: counts input that Node could not parse as a request, which reaches no door, and answers as
 * Node does without a listener. A broken connection is not such input.
 */
export function rejectUnparsed(counts: RequestCounts) {
  return (error: NodeJS.ErrnoException, socket: Unanswered): void => {
    const { code = '' } = error;
    if (!code.startsWith('HPE_') && !Object.hasOwn(STATUS, code)) return void socket.destroy(error);
    countRequest(counts.find(UNPARSED, 'other'), '4xx', 0);
    // otherwise the client would take this answer for the body of a response that has started
    if (socket.writable && !socket._httpMessage?.headersSent)
      socket.write(`HTTP/1.1 ${STATUS[code] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`);
    socket.destroy(error);
  };
}
