import { setTimeout } from 'node:timers/promises';
import { Agent, type BodyInit, fetch, type Response } from 'undici';
import { TranscriberRejected, TranscriberUnavailable } from '../../base/errors';
import { SECONDS } from '../../base/time';
import { TRANSCRIPTION_LIMITS } from '../../limits/transcription';
import { parseRetryAfter } from '../feed-fetcher/host-limits';

export type EngineRequest = {
  path: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  /** Called for each attempt, because a form can be sent once only. */
  body?: () => BodyInit;
  signal: AbortSignal;
};
export type EngineCalls = {
  /** The answer, as JSON. @throws TranscriberUnavailable, TranscriberRejected */
  call(request: EngineRequest): Promise<unknown>;
  /** Waits before the engine is asked again. @throws TranscriberUnavailable when the time for the piece is over */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
};
type Engine = { url: string; headers: Record<string, string>; wait?: typeof pause };

/** Engines are often full for some seconds; after these attempts, the job tries again later. */
const ATTEMPTS = 4;
const FIRST_PAUSE = SECONDS(1);
const LONGEST_PAUSE = SECONDS(60);
const CONNECT_TIMEOUT = SECONDS(15);

const pause = (milliseconds: number, signal: AbortSignal) => setTimeout(milliseconds, null, { signal });

/** Calls an engine over HTTP: with its key, with limits, and again while it is full. Nothing of the key is logged. */
export function engineCalls({ url, headers, wait = pause }: Engine): EngineCalls {
  const agent = new Agent({
    connect: { timeout: CONNECT_TIMEOUT },
    // an engine answers when it has heard the whole piece
    headersTimeout: TRANSCRIPTION_LIMITS.pieceFor,
    bodyTimeout: TRANSCRIPTION_LIMITS.pieceFor,
  });
  async function attempt({ path, method = 'POST', body, signal, ...request }: EngineRequest): Promise<Attempt> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...request.headers },
      body: body?.(),
      signal,
      // a redirect would hand the key to another host
      redirect: 'error',
      dispatcher: agent,
    }).catch((error: Error) => error);
    stopIfAborted(signal);
    if (response instanceof Error) return { again: causeOf(response), afterMs: null };
    return settle(response);
  }
  async function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
    await wait(milliseconds, signal).catch((error) => {
      stopIfAborted(signal);
      throw error;
    });
  }
  return {
    async call(request) {
      let failure = '';
      for (let tried = 0; tried < ATTEMPTS; tried++) {
        const result = await attempt(request);
        if ('answer' in result) return result.answer;
        failure = result.again;
        const afterMs = Math.min(result.afterMs ?? FIRST_PAUSE * 2 ** tried, LONGEST_PAUSE);
        if (tried < ATTEMPTS - 1) await waitFor(afterMs, request.signal);
      }
      throw new TranscriberUnavailable(failure);
    },
    wait: waitFor,
    close: () => agent.close(),
  };
}

/** An engine that takes too long for a piece may be faster later. */
function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted && signal.reason?.name === 'TimeoutError') throw new TranscriberUnavailable('no answer in time');
  signal.throwIfAborted();
}

type Attempt = { answer: unknown } | { again: string; afterMs: number | null };

/** OpenAI says so with status 429, AssemblyAI with 400. */
const NO_MONEY = /insufficient_quota|account balance is negative/;

async function settle(response: Response): Promise<Attempt> {
  const { status, headers } = response;
  const text = await readText(response);
  if (text === null) throw new TranscriberRejected('answer', 'the answer is too long');
  if (response.ok) return { answer: parseAnswer(text) };
  const message = `status ${status}`;
  if (status === 401 || status === 402 || status === 403 || NO_MONEY.test(text))
    throw new TranscriberRejected('account', message);
  if (status === 408 || status === 409 || status === 425 || status === 429 || status >= 500)
    return { again: message, afterMs: parseRetryAfter(headers.get('retry-after'), Date.now()) };
  throw new TranscriberRejected('sound', message);
}

/** Null if it is longer than any answer about a piece. */
async function readText({ body }: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body ?? []) {
      bytes += (chunk as Uint8Array).length;
      if (bytes > TRANSCRIPTION_LIMITS.answerBytes) return null;
      chunks.push(chunk as Uint8Array);
    }
  } catch (error) {
    throw new TranscriberUnavailable(causeOf(error as Error));
  }
  return Buffer.concat(chunks).toString();
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TranscriberRejected('answer', 'the answer is not JSON');
  }
}

/** undici's own message is always "fetch failed". */
const causeOf = (error: Error): string => (error.cause instanceof Error ? error.cause.message : error.message);
