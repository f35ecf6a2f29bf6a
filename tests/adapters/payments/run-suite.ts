import { test } from 'vitest';
import { changeChecks } from './changes.suite';
import { checkoutChecks } from './checkouts.suite';
import { customerChecks } from './customers.suite';
import { endingChecks } from './endings.suite';
import { eventChecks } from './events.suite';
import { moneyChecks } from './money.suite';
import type { RemoteStripe } from './remote-stripe';
import { renewalChecks } from './renewals.suite';
import { subscriptionChecks } from './subscriptions.suite';
import { webhookChecks } from './webhooks.suite';

/** Stripe's test clocks take their time. */
const REAL_TIMEOUT = 600_000;

const CHECKS = [
  customerChecks,
  checkoutChecks,
  subscriptionChecks,
  changeChecks,
  endingChecks,
  renewalChecks,
  moneyChecks,
  eventChecks,
  webhookChecks,
].flatMap(({ checks }) => checks);

/**
 * What the payments port promises, whoever is at the far end. Where the sandbox could differ from Stripe's documented
 * behaviour, the check names the page of Stripe's documentation that it follows.
 */
export function runSuite(name: string, far: RemoteStripe): void {
  for (const { title, run } of CHECKS)
    test(`${name}: ${title}`, { timeout: far.real ? REAL_TIMEOUT : undefined }, () => run(far));
}
