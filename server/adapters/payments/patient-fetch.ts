import { setTimeout as sleep } from 'node:timers/promises';
import { SECONDS } from '../../base/time';
import type { Turns, Urgency } from '../../base/turns';

type Send = typeof globalThis.fetch;

export type Patience = {
  /** Of each attempt. */
  timeoutMs: number;
  /** For turns and pauses of one call together. */
  patienceMs: number;
  urgency: Urgency;
  /** Null: calls are sent at once. */
  turns: Turns | null;
};

/** The first pause and the longest one; each is twice the one before, and shortened by chance. */
const PAUSE = { first: SECONDS(0.25), longest: SECONDS(4) };

/**
 * Waits for a turn, and repeats a call that was rejected only because of other calls: too many (429), or one that uses
 * the same object (429) or idempotency key (409). Such a call has done nothing, and its repetition has the same key.
 */
export function patientFetch(send: Send, { timeoutMs, patienceMs, urgency, turns }: Patience): Send {
  return async (input, init) => {
    const end = performance.now() + patienceMs;
    for (let attempt = 0; ; attempt += 1) {
      const hasTurn = turns === null || (await turns.take(urgency, end - performance.now()));
      if (!hasTurn) return tooManyOwnCalls();
      const answer = await send(input, { ...init, signal: limited(init?.signal, timeoutMs) });
      if (answer.status !== 429 && answer.status !== 409) return answer;
      const pause = pauseAfter(attempt, answer);
      if (performance.now() + pause > end) return withoutRetry(answer);
      // frees the connection
      await answer.text();
      await sleep(pause);
    }
  };
}

function limited(signal: AbortSignal | null | undefined, timeoutMs: number): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

/** By chance, so that calls that were rejected together do not come together again. */
function pauseAfter(attempt: number, { headers }: Response): number {
  const longest = Math.min(PAUSE.first * 2 ** attempt, PAUSE.longest);
  const asked = SECONDS(Number(headers.get('retry-after')) || 0);
  return Math.max(asked, longest * (0.5 + Math.random() / 2));
}

/** The SDK would repeat some of these calls itself, after the caller's time. */
function withoutRetry(answer: Response): Response {
  const headers = new Headers(answer.headers);
  headers.set('stripe-should-retry', 'false');
  return new Response(answer.body, { status: answer.status, headers });
}

/** As if Stripe had answered it, so that callers see one error for both. */
const tooManyOwnCalls = () =>
  withoutRetry(
    Response.json(
      { error: { type: 'invalid_request_error', code: 'rate_limit', message: 'No turn in our own limit of calls.' } },
      { status: 429 },
    ),
  );
