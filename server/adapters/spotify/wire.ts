import { createHmac } from 'node:crypto';
import type { z } from 'zod';
import { SpotifyAway, type SpotifyCall, SpotifyRejected } from '../../base/errors';
import { SECONDS } from '../../base/time';

const TIMEOUT = SECONDS(10);
/** Spotify's answers have a few hundred bytes; an entitlement has about twenty. */
const MAX_ANSWER = 200_000;
const MAX_RETRY_AFTER = 21_600;

export type Wire = { fetch: typeof fetch };

/** Sends one request and reads its answer as JSON, null if it has no body. @throws SpotifyRejected, SpotifyAway */
export async function send(
  { fetch: call }: Wire,
  name: SpotifyCall,
  { url, ...init }: RequestInit & { url: string },
): Promise<unknown> {
  const answer = await exchange(call, name, url, init);
  const { status, text } = answer;
  if (status === 429 || status >= 500) throw new SpotifyAway(name, retryAfter(answer.retryAfter));
  if (status < 200 || status >= 300) throw new SpotifyRejected(name, status, text);
  if (text === '') return null;
  return parseJson(name, text);
}

function parseJson(name: SpotifyCall, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SpotifyAway(name, null, cause);
  }
}

/** An answer with another shape is not Spotify's: a proxy or a fault has sent it. @throws SpotifyAway */
export function readAnswer<T>(name: SpotifyCall, schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw new SpotifyAway(name, null, parsed.error);
  return parsed.data;
}

async function exchange(call: typeof fetch, name: SpotifyCall, url: string, init: RequestInit) {
  try {
    const signal = AbortSignal.timeout(TIMEOUT);
    const response = await call(url, { ...init, signal, redirect: 'manual' });
    const text = await response.text();
    if (text.length > MAX_ANSWER) throw new Error('too long an answer');
    return { status: response.status, text, retryAfter: response.headers.get('retry-after') };
  } catch (cause) {
    throw new SpotifyAway(name, null, cause);
  }
}

/** A date in the header is ignored: Spotify sends seconds. */
function retryAfter(header: string | null): number | null {
  const seconds = /^\d{1,9}$/.test(header ?? '') ? Number(header) : null;
  return seconds === null ? null : Math.min(seconds, MAX_RETRY_AFTER);
}

/** The body of each call of Open Access: a JWS in compact form (RFC 7515), with HMAC-SHA256 and the client's secret. */
export function signedBody(payload: object, secret: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'HS256' })}.${part(payload)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
