import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { engineCalls } from '~/server/adapters/transcriber/engine-call';
import type { Transcriber } from '~/server/adapters/transcriber/port';

type Answer = { status?: number; headers?: Record<string, string>; body: unknown };
export type EngineAnswer = Answer | 'hang up' | 'silence';

/**
 * A local server in place of an engine: it answers as it is told, in order, and keeps what it was asked. `waits`: how
 * long its client would have waited before it asked again.
 */
export async function engineServer(headers: Record<string, string>) {
  const answers: EngineAnswer[] = [];
  const requests: { method: string; url: string; headers: http.IncomingHttpHeaders; body: Buffer }[] = [];
  const waits: number[] = [];
  const server = http.createServer(async (req, res) => {
    const body = Buffer.concat(await req.toArray());
    requests.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body });
    const answer = answers.shift() ?? { status: 500, body: 'asked too often' };
    if (answer === 'hang up') return void req.socket.destroy();
    if (answer === 'silence') return;
    res.writeHead(answer.status ?? 200, answer.headers);
    res.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const wait = async (milliseconds: number, signal: AbortSignal) => {
    waits.push(milliseconds);
    signal.throwIfAborted();
    return null;
  };
  const calls = engineCalls({ url, headers, wait });
  return {
    ...{ url, calls, answers, requests, waits },
    forget() {
      for (const list of [answers, requests, waits]) list.length = 0;
    },
    async close() {
      await calls.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const PIECE = { mp3: new Uint8Array([255, 251, 144, 0]), durationMs: 10_000 };

type Hearing = Parameters<Transcriber['hear']>[1];

/** Has the piece heard, without a language or a former order unless told otherwise. */
export const hearPiece = (engine: Transcriber, over: Partial<Hearing> = {}) =>
  engine.hear(PIECE, {
    ...{ language: null, terms: [], signal: new AbortController().signal, order: null, onOrder: async () => {} },
    ...over,
  });
