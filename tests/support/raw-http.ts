import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A request without an answer ends after this time. */
const ANSWER_TIMEOUT_MS = 15_000;

export type RawAnswer = { status: number; head: string; body: string };

/** Sends the parts on one connection and returns the first answer. Status 0: the server closed without an answer. */
export function sendRaw(port: number, parts: readonly (string | Buffer)[]): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('error', () => {});
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (isComplete(Buffer.concat(chunks).toString('latin1'))) socket.destroy();
    });
    socket.on('close', () => resolve(parse(Buffer.concat(chunks).toString('latin1'))));
    for (const part of parts) socket.write(part);
  });
}

/** Sends the parts, and breaks the connection after this time. */
export async function sendAndAbort(port: number, parts: readonly (string | Buffer)[], afterMs: number): Promise<void> {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => {});
  for (const part of parts) socket.write(part);
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  await wait(afterMs);
  socket.resetAndDestroy();
}

function isComplete(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const head = text.slice(0, end);
  if (/^HTTP\/1\.1 (?:204|304)/.test(head)) return true;
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length !== undefined) return text.length >= end + 4 + Number(length);
  return /^transfer-encoding: *chunked/im.test(head) ? text.endsWith('0\r\n\r\n') : false;
}

function parse(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const head = end < 0 ? text : text.slice(0, end);
  const body = end < 0 ? '' : text.slice(end + 4);
  const isChunked = /^transfer-encoding: *chunked/im.test(head);
  return {
    status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0),
    head,
    body: isChunked ? joinChunks(body) : body,
  };
}

function joinChunks(body: string): string {
  let text = '';
  for (let rest = body; ; ) {
    const line = rest.indexOf('\r\n');
    const size = line < 0 ? 0 : Number.parseInt(rest.slice(0, line), 16);
    if (!size) return text;
    text += rest.slice(line + 2, line + 2 + size);
    rest = rest.slice(line + 4 + size);
  }
}
