import { EventEmitter } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { allowLongBody, hasBodyToWaitFor, limitArrival } from '~/server/http/body-arrival';
import { BODY_LIMITS } from '~/server/limits/http';
import { sendRaw } from '../support/raw-http';

const ARRIVAL_MS = 150;

async function startServer(answer: http.RequestListener): Promise<number> {
  const server = http.createServer((req, res) => {
    if (hasBodyToWaitFor(req)) limitArrival(req, res, ARRIVAL_MS);
    answer(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return (server.address() as AddressInfo).port;
}

const answerAtEnd: http.RequestListener = (req, res) => req.resume().on('end', () => res.end('ok'));
const head = (path: string, length = 4) => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;

test('a body that arrives too slowly is answered with 408', async () => {
  const port = await startServer(answerAtEnd);

  const answer = await sendRaw(port, [head('/login'), 'a=']);

  expect(answer.status).toBe(408);
});

test('a body that arrives in time may wait for its answer as long as it takes', async () => {
  const port = await startServer((req, res) =>
    req.resume().on('end', () => void wait(2 * ARRIVAL_MS).then(() => res.end('ok'))),
  );

  const answer = await sendRaw(port, [head('/login'), 'a=bc']);

  expect(answer.status).toBe(200);
});

/** The answer to a client that sends this many bytes of its form in each period; null while the server still reads. */
function afterPeriods(bytes: number, periods: number): string | null {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const socket = { bytesRead: 0, answer: null as string | null, write: keep, destroySoon: () => {} };
  function keep(text: string) {
    socket.answer = text;
  }
  const req = Object.assign(new EventEmitter(), { socket, complete: false }) as unknown as http.IncomingMessage;
  limitArrival(req, { headersSent: false } as http.ServerResponse);
  allowLongBody(req);
  for (let i = 0; i < periods; i += 1) {
    socket.bytesRead += bytes;
    vi.advanceTimersByTime(BODY_LIMITS.arrival);
  }
  req.emit('close');
  vi.advanceTimersByTime(BODY_LIMITS.arrival);
  return socket.answer;
}

test('a form with files may take hours while it arrives at a pace', () => {
  expect(afterPeriods(BODY_LIMITS.pace, 500)).toBeNull();
});

test('a form with files that drips ends like other bodies', () => {
  expect(afterPeriods(BODY_LIMITS.pace - 1, 1)).toMatch(/^HTTP\/1\.1 408 /);
});

test('an upload may take longer', async () => {
  const port = await startServer((req, res) => {
    setTimeout(() => res.end('still open'), 2 * ARRIVAL_MS);
    req.resume();
  });

  const answer = await sendRaw(port, [head('/uploads/form/x'), 'a=']);

  expect(answer.body).toBe('still open');
});
