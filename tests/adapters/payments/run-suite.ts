import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { test } from 'vitest';
import { testStripe } from '../../support/stripe-sandbox';
import type { Check, RemoteStripe } from './remote-stripe';

/** Stripe's test clocks are slow. */
const REAL_TIMEOUT = 600_000;

/**
 * Runs a suite of the payments port. Where the sandbox could differ from Stripe's documented behaviour, a check names
 * the page of Stripe's documentation that it follows.
 */
export function runSuite(name: string, remote: RemoteStripe, checks: Check[]): void {
  for (const { title, run } of checks)
    test(`${name}: ${title}`, { timeout: remote.real ? REAL_TIMEOUT : undefined }, () => run(remote));
}

/** Runs a suite on a separate sandbox. */
export async function runInSandbox({ checks }: { checks: Check[] }): Promise<RemoteStripe> {
  const { payments, stripe, fetch, sandbox } = await testStripe();
  const remote: RemoteStripe = {
    payments,
    stripe,
    real: false,
    capture: sandbox.capture,
    pay: (url, input) => payByForms(fetch, url, input),
  };
  runSuite('sandbox', remote, checks);
  return remote;
}
