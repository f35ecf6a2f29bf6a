import { test } from 'vitest';
import { checkoutChecks } from './payments/checkouts.suite';
import { customerChecks } from './payments/customers.suite';
import type { Behaves, FarEnd } from './payments/far-end';
import { moneyChecks } from './payments/money.suite';
import { renewalChecks } from './payments/renewals.suite';
import { subscriptionChecks } from './payments/subscriptions.suite';
import { webhookChecks } from './payments/webhooks.suite';

/** Stripe's test clocks take their time. */
const REAL_TIMEOUT = 240_000;

/**
 * What the payments port promises, whoever is at the far end. Where the sandbox could differ from Stripe's documented
 * behaviour, the check names the page of Stripe's documentation that it follows.
 */
export function paymentsSuite(name: string, far: FarEnd): void {
  const behaves: Behaves = (sentence, run) =>
    test(`${name}: ${sentence}`, { timeout: far.real ? REAL_TIMEOUT : undefined }, () => run(far));
  customerChecks(behaves);
  checkoutChecks(behaves);
  subscriptionChecks(behaves);
  renewalChecks(behaves);
  moneyChecks(behaves);
  webhookChecks(behaves);
}
