import Stripe from 'stripe';
import { SECONDS } from '../../base/time';
import type { Turns, Urgency } from '../../base/turns';
import { patientFetch } from './patient-fetch';

export type ClientSettings = {
  /** `sk_…` or `rk_…`. */
  secretKey: string;
  /** Replaces the network; the sandbox uses it. */
  fetch?: typeof globalThis.fetch;
  timeout?: number;
  maxNetworkRetries?: number;
  /** `waited_for` by default. */
  urgency?: Urgency;
  /** The turns of all calls of this process; without them, calls are sent at once. */
  turns?: Turns;
  /** Time for turns and for rejected calls that are repeated, in milliseconds. */
  patience?: Record<Urgency, number>;
  /** A connected account, on which all calls act. */
  account?: string;
};

/** Some calls run while a page waits; jobs retry anyway. */
const TIMEOUT = SECONDS(20);
const RETRIES = 2;
/** A job that waits longer could expire, with several calls; its next attempt is soon enough. */
const PATIENCE: Record<Urgency, number> = { waited_for: SECONDS(8), background: SECONDS(20) };

/**
 * The client that production uses. It uses fetch because the SDK's default client ignores its own timeout when a test
 * intercepts its requests.
 */
export function stripeClient(settings: ClientSettings): Stripe {
  const { secretKey, fetch = globalThis.fetch, maxNetworkRetries, account } = settings;
  const { timeout: timeoutMs = TIMEOUT, urgency = 'waited_for', turns = null, patience = PATIENCE } = settings;
  const patienceMs = patience[urgency];
  return new Stripe(secretKey, {
    httpClient: Stripe.createFetchHttpClient(patientFetch(fetch, { timeoutMs, patienceMs, urgency, turns })),
    maxNetworkRetries: maxNetworkRetries ?? RETRIES,
    // the SDK's time includes our pauses
    timeout: timeoutMs + patienceMs,
    ...(account !== undefined && { stripeAccount: account }),
    telemetry: false,
    appInfo: { name: 'Altavoz' },
  });
}
