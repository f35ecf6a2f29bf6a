import { bookChecks } from './books.suite';
import { changeChecks } from './changes.suite';
import { checkoutChecks } from './checkouts.suite';
import { customerChecks } from './customers.suite';
import { endingChecks } from './endings.suite';
import { eventChecks } from './events.suite';
import { importChecks } from './imports.suite';
import { listingChecks } from './listing.suite';
import { moneyChecks } from './money.suite';
import { periodChecks } from './periods.suite';
import type { Check } from './remote-stripe';
import { renewalChecks } from './renewals.suite';
import { saleChecks } from './sales.suite';
import { subscriptionChecks } from './subscriptions.suite';
import { webhookChecks } from './webhooks.suite';

/** All suites of the payments port, by their file. */
export const REMOTE_SUITES: Record<string, Check[]> = {
  books: bookChecks.checks,
  changes: changeChecks.checks,
  checkouts: checkoutChecks.checks,
  customers: customerChecks.checks,
  endings: endingChecks.checks,
  events: eventChecks.checks,
  imports: importChecks.checks,
  listing: listingChecks.checks,
  money: moneyChecks.checks,
  periods: periodChecks.checks,
  renewals: renewalChecks.checks,
  sales: saleChecks.checks,
  subscriptions: subscriptionChecks.checks,
  webhooks: webhookChecks.checks,
};

const ACCOUNT = 'A connected account must be set up by hand in test mode.';
const LATER = 'Stripe decides such refunds after days, and no test clock moves them.';

/** Tests of the port that run in the sandbox only, by title, with the reason. */
export const SANDBOX_ONLY: Record<string, string> = {
  'a connected account’s share of a payment is taken back after a lost dispute, once': ACCOUNT,
  'a payment that was not shared has nothing to recover': ACCOUNT,
  'the next payments of a running subscription go to another account, at another percentage, or to us': ACCOUNT,
  'a card is copied to a connected account, and charged there with a fee of the platform': ACCOUNT,
  'another customer’s card is not copied': ACCOUNT,
  'without a cursor, pages begin at the oldest event, and end with the newest':
    'An account in use has other events, and Stripe lists new ones with a delay.',
  'a refund that fails later has its reason, and the payment is no longer refunded': LATER,
  'after a failed refund, the payment can be refunded again': LATER,
  'a pending refund succeeds later': LATER,
  'a subscription ends after the last retry': 'The settings of the account choose the retries and what follows them.',
};
