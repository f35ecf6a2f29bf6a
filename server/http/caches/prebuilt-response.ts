import { type IncomingMessage, type Server, type ServerResponse, validateHeaderValue } from 'node:http';
import { noteWritten, requestIdOf } from '../../watching/observed-response';
import type { HttpExchange } from '../send-object';

/**
 * A response whose status line, headers and body are one buffer; only its date changes, once a second, and the request
 * id.
 */
export type Prebuilt = { status: number; bytes: Buffer; body: Buffer; dateAt: number; second: number; idAt: number };

/** A longer body waits for the client in the socket, where a shutdown would no longer see it. */
export const MAX_PREBUILT_BYTES = 256 * 1024;
const STATUS_LINES: Record<number, string> = { 200: 'HTTP/1.1 200 OK', 304: 'HTTP/1.1 304 Not Modified' };
/** Length of a UUID. A proxy's shorter id is padded with spaces, which clients do not count as a part of it. */
const ID_LENGTH = 36;
const DATE_LENGTH = 'Sun, 06 Nov 1994 08:49:37 GMT'.length;

/** The undocumented fields of Node's `ServerResponse` that this file uses. */
type Internals = { _header: string | null; _headerSent: boolean; _hasBody: boolean };

/**
 * Sends a cached response with one write, which takes half of the time of `writeHead` and `end` (decision 0105). The
 * response object is only marked as sent; its `end` starts the next request of the connection.
 * @param prebuilt from `prebuild`, for connections that stay open
 * @returns false, with nothing sent, if Node must send this response itself, or if Node's internals have changed
 */
export function sendPrebuilt(prebuilt: Prebuilt, req: IncomingMessage, res: ServerResponse): boolean {
  if (!takesOneWrite(req, res)) return false;
  const id = requestIdOf(res);
  if (id.length > ID_LENGTH || (id === '') !== (prebuilt.idAt === 0)) return false;
  refreshDate(prebuilt);
  if (prebuilt.idAt > 0)
    prebuilt.bytes.write(id.length < ID_LENGTH ? id.padEnd(ID_LENGTH) : id, prebuilt.idAt, 'latin1');
  writeOnce(res, prebuilt.status, prebuilt.bytes);
  return true;
}

/** Whether Node's internals are as this file expects, and nothing of the response was written. */
function takesOneWrite(req: IncomingMessage, res: ServerResponse): boolean {
  const { socket } = res;
  const internals = res as unknown as Internals;
  // pipelined responses have no socket until it is their turn
  const isIdle = socket !== null && socket.writableLength === 0 && !socket.destroyed;
  const keepsOpen = res.shouldKeepAlive && req.httpVersionMinor === 1 && req.httpVersionMajor === 1;
  const isUntouched = internals._header === null && internals._headerSent === false && internals._hasBody === true;
  return isIdle && keepsOpen && isUntouched && req.method === 'GET' && res.getHeaderNames().length === 0;
}

function writeOnce(res: ServerResponse, status: number, bytes: Buffer | string): void {
  res.statusCode = status;
  const internals = res as unknown as Internals;
  internals._header = ' ';
  internals._headerSent = true;
  internals._hasBody = false;
  noteWritten(res, bytes.length);
  res.socket?.write(bytes as string, 'latin1');
  res.end();
}

/**
 * Sends 304s that differ only in their ETag, like `sendPrebuilt`: building a text for each takes less time than
 * building buffers.
 * @param headers names and values in turn, without ETag, Date and Connection
 * @returns a function that returns false, with nothing sent, if Node must send this response itself
 */
export function unchangedSender(headers: string[]) {
  const lines = headerLines(headers).join('\r\n');
  const date = { second: 0, text: '' };
  return (etag: string, req: IncomingMessage, res: ServerResponse): boolean => {
    if (!takesOneWrite(req, res)) return false;
    const second = Math.floor(Date.now() / 1000);
    if (date.second !== second) Object.assign(date, { second, text: new Date(second * 1000).toUTCString() });
    const head = `${STATUS_LINES[304]}\r\n${lines}\r\nETag: ${etag}\r\nDate: ${date.text}\r\n`;
    writeOnce(res, 304, `${head}${idLine(res)}Connection: keep-alive\r\n${keepAliveLine(req)}\r\n`);
    return true;
  };
}

/**
 * @param headers names and values in turn, as for `writeHead`, without Date and Connection
 * @param body becomes a part of the buffer: use the returned `body` instead, so that it is in memory once
 */
export function prebuild(status: 200 | 304, headers: string[], body: Buffer, { req, res }: HttpExchange): Prebuilt {
  const lines = [STATUS_LINES[status], ...headerLines(headers)];
  const before = Buffer.from(`${lines.join('\r\n')}\r\nDate: `, 'latin1');
  // each request fills in its id
  const line = requestIdOf(res) === '' ? '' : `x-request-id: ${' '.repeat(ID_LENGTH)}\r\n`;
  const after = Buffer.from(`\r\n${line}Connection: keep-alive\r\n${keepAliveLine(req)}\r\n`, 'latin1');
  const bytes = Buffer.concat([before, Buffer.alloc(DATE_LENGTH), after, body]);
  const idAt = line && before.length + DATE_LENGTH + '\r\nx-request-id: '.length;
  return {
    status,
    bytes,
    body: bytes.subarray(bytes.length - body.length),
    dateAt: before.length,
    second: 0,
    idAt: idAt || 0,
  };
}

function idLine(res: ServerResponse): string {
  const id = requestIdOf(res);
  return id && `x-request-id: ${id}\r\n`;
}

function headerLines(headers: string[]): string[] {
  const lines: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const [name = '', value = ''] = headers.slice(i, i + 2);
    validateHeaderValue(name, value);
    lines.push(`${name}: ${value}`);
  }
  return lines;
}

function keepAliveLine({ socket }: IncomingMessage): string {
  const { keepAliveTimeout = 0 } = (socket as { server?: Server }).server ?? {};
  return keepAliveTimeout ? `Keep-Alive: timeout=${Math.floor(keepAliveTimeout / 1000)}\r\n` : '';
}

/** A write that still waits in the socket then also gets the newer date, which is correct. */
function refreshDate(prebuilt: Prebuilt): void {
  const second = Math.floor(Date.now() / 1000);
  if (prebuilt.second === second) return;
  prebuilt.second = second;
  prebuilt.bytes.write(new Date(second * 1000).toUTCString(), prebuilt.dateAt, 'latin1');
}
